import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ChildPool, type ChildPoolOptions, createChildPool } from './child-pool.ts'

type Functions = typeof import('./child-pool.test-functions.ts')

const megabyte = 1024 * 1024
/** How long a task may fail because the machine is busy. */
const busyMs = 30_000
const pools: ChildPool<Functions>[] = []

function open(options: Partial<ChildPoolOptions> = {}): ChildPool<Functions> {
  const pool = createChildPool<Functions>({
    module: new URL('./child-pool.test-functions.ts', import.meta.url),
    width: 1,
    timeoutMs: 20_000,
    maxMemoryBytes: 200 * megabyte,
    maxReplyBytes: 4 * megabyte,
    ...options,
  })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const works = async (pool: ChildPool<Functions>) =>
  expect([...(await pool.run('double', { numbers: new Float64Array([1, 2.5]) }))]).toEqual([2, 5])

describe('a pool of children', () => {
  it('runs functions of a module, in one child after the other', async () => {
    const pool = open()
    await works(pool)
    const { pid } = await pool.run('about', undefined as never)
    expect(pid).not.toBe(process.pid)
    expect((await pool.run('about', undefined as never)).pid).toBe(pid)
  })

  it('reports progress', async () => {
    const seen: unknown[] = []
    expect(await open().run('countUp', { to: 3 }, { onProgress: (progress) => seen.push(progress) })).toBe(
      'done',
    )
    expect(seen).toEqual([{ at: 1 }, { at: 2 }, { at: 3 }])
  })

  it('treats a bare error as an error of the task, and keeps the child', async () => {
    const pool = open()
    const { pid } = await pool.run('about', undefined as never)
    await expect(pool.run('fail', { message: 'no such thing' })).rejects.toMatchObject({
      reason: 'threw',
      message: 'no such thing',
    })
    expect((await pool.run('about', undefined as never)).pid).toBe(pid)
  })

  it('ends a task at its time limit, and continues with the next one', async () => {
    const pool = open({ timeoutMs: 300 })
    const hanging = pool.run('hang', undefined as never)
    const next = pool.run('double', { numbers: new Float64Array([1]) }).catch(() => {})
    await expect(hanging).rejects.toMatchObject({ reason: 'time' })
    await next
    // On a busy machine, even a short task may exceed this limit.
    await vi.waitFor(() => works(pool), busyMs)
  })

  it('counts neither waiting nor the start of a child towards the time limit', async () => {
    const pool = open({ timeoutMs: 3_000 })
    const tasks = Array.from({ length: 12 }, () => pool.run('countUp', { to: 5 }))
    expect(await Promise.all(tasks)).toEqual(Array(12).fill('done'))
  })

  it.each([
    ['exit', { code: 0 }],
    ['exit', { code: 3 }],
    ['abort', undefined],
  ] as const)('fails the task alone when %s %o ends its child', async (name, task) => {
    const pool = open()
    await expect(pool.run(name, task as never)).rejects.toMatchObject({ reason: 'crashed' })
    await works(pool)
  })

  it('fails only the task that fills its heap', async () => {
    const pool = open({ maxMemoryBytes: 120 * megabyte })
    await expect(pool.run('fillHeap', undefined as never)).rejects.toMatchObject({ reason: 'memory' })
    await works(pool)
  })

  it.runIf(process.platform === 'linux')(
    'fails a task alone that fills memory outside of its heap',
    async () => {
      const pool = open()
      const bytes = deflateSync(new Uint8Array(100 * megabyte))
      await expect(pool.run('unpack', { bytes, times: 1000 })).rejects.toMatchObject({ reason: 'memory' })
      await works(pool)
    },
  )

  it('rejects a reply over its limit', async () => {
    const pool = open()
    expect((await pool.run('large', { length: 3 * megabyte })).length).toBe(3 * megabyte)
    await expect(pool.run('large', { length: 5 * megabyte })).rejects.toMatchObject({ reason: 'reply' })
    await works(pool)
  })

  it('prevents a child from reading, writing, running, compiling and connecting; its environment is empty', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-children-'))
    const file = join(folder, 'secret')
    await writeFile(file, 'secret')
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outcomes = await open().run('tryForbidden', { file, port })
    const offline = 'this process has no network'
    expect(outcomes).toEqual({
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      run: 'ERR_ACCESS_DENIED',
      thread: 'ERR_ACCESS_DENIED',
      addon: 'ERR_DLOPEN_DISABLED',
      inside: 'ERR_ACCESS_DENIED',
      compile: 'Code generation from strings disallowed for this context',
      connect: offline,
      fetch: offline,
      webSocket: offline,
    })
    expect(requests).toEqual([])
    expect(existsSync(`${file}.new`)).toBe(false)
    const { environment } = await open().run('about', undefined as never)
    expect(environment.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([])
    server.close()
    await rm(folder, { recursive: true })
  })

  it.runIf(process.platform === 'linux')(
    'is the first that the system ends, and the last that it serves',
    async () => {
      const { pid } = await open().run('about', undefined as never)
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000')
      const nice = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]
      expect(Number(nice)).toBe(5)
    },
  )

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'has children that a %s to all of the group does not end',
    async (signal) => {
      const pool = open()
      const { pid } = await pool.run('about', undefined as never)
      const counting = pool.run('countUp', { to: 5 }, { onProgress: () => void process.kill(pid, signal) })
      expect(await counting).toBe('done')
    },
  )

  it('ends an idle child after a while, and an aborted or closed child at once', async () => {
    const pool = open({ idleMs: 50 })
    const { pid } = await pool.run('about', undefined as never)
    while (isAlive(pid)) await pause(10)
    const abort = new AbortController()
    const aborted = pool.run('hang', undefined as never, {
      signal: abort.signal,
      onStart: () => abort.abort(),
    })
    await expect(aborted).rejects.toThrow('aborted')
    const hanging = pool.run('hang', undefined as never, { onStart: () => void pool.close() })
    await expect(hanging).rejects.toMatchObject({ reason: 'closed' })
  })

  it.runIf(process.platform === 'linux')('leaves no child behind when its process is killed', async () => {
    const script = `
      import { createChildPool } from '${new URL('./child-pool.ts', import.meta.url)}'
      const pool = createChildPool({
        module: new URL('${new URL('./child-pool.test-functions.ts', import.meta.url)}'),
        width: 2, timeoutMs: 60_000, maxMemoryBytes: 2e8, maxReplyBytes: 1e6,
      })
      console.log((await pool.run('about')).pid)
      pool.run('hang', undefined, { onStart: () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100) })
    `
    const pids = (() => {
      try {
        return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    })()
    const pid = Number(pids.trim())
    expect(pid).toBeGreaterThan(0)
    while (isAlive(pid)) await pause(10)
  })
})
