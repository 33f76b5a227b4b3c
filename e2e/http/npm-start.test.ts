import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Api } from '../support/api.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The first start of a checkout builds the server and the dashboard. */
const startMs = 120_000
const stopMs = 10_000

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(process.platform === 'win32')('npm start', { timeout: startMs + 30_000 }, () => {
  let dataDir: string
  let shell: ChildProcess
  let output: string
  let exited: Promise<number | null>

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-npm-'))
  })
  afterEach(async () => {
    if (shell.exitCode === null && shell.signalCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })

  function start(command: string): void {
    const { PATH, HOME } = process.env
    output = ''
    // A separate process group, as a terminal creates it for a command.
    shell = spawn('sh', ['-c', `exec ${command}`], {
      cwd: root,
      env: { PATH, HOME, PORT: '0', CAIRN_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    shell.stdout?.on('data', (part) => (output += part))
    shell.stderr?.on('data', (part) => (output += part))
    exited = new Promise((resolve) => shell.once('exit', resolve))
  }

  /** The address and process id of the server when it listens. */
  async function listening(): Promise<{ url: string; pid: number }> {
    const until = Date.now() + startMs
    while (Date.now() < until && shell.exitCode === null) {
      const line = output.split('\n').find((text) => text.includes('"msg":"listening"'))
      if (line) return JSON.parse(line)
      await pause(20)
    }
    throw new Error(`npm start did not get to listen:\n${output}`)
  }

  async function untilGone(pid: number): Promise<void> {
    const until = Date.now() + stopMs
    while (isAlive(pid)) {
      if (Date.now() > until) throw new Error(`the server outlived its npm:\n${output}`)
      await pause(20)
    }
  }

  it('listens, prints its address and data folder, and ends with npm on SIGTERM', async () => {
    start('npm start')
    const { url, pid } = await listening()
    expect((await new Api(url).get('/v1/health')).status).toBe(200)
    expect(output).toContain(url)
    expect(output).toContain(dataDir)
    expect(output).toMatch(/keys create/)
    shell.kill('SIGTERM')
    await exited
    await untilGone(pid)
    expect(output).toContain('"msg":"stopped"')
    await expect(new Api(url).get('/v1/health')).rejects.toThrow()
  })

  it('stops gracefully on Ctrl-C, which reaches the server from the terminal and from npm', async () => {
    start('npm start')
    const { url, pid } = await listening()
    const headers = { 'x-admin-token': /^ +(\S+) +\(made now/m.exec(output)?.[1] ?? '' }
    // In progress when the signals arrive, and longer than the time between them.
    const body = JSON.stringify({ name: 'made at the last moment' })
    const parts = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from(body.slice(0, 9)))
        await pause(600)
        controller.enqueue(Buffer.from(body.slice(9)))
        controller.close()
      },
    })
    const created = fetch(`${url}/v1/console/projects`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: parts,
      duplex: 'half',
    } as RequestInit)
    await pause(200)
    process.kill(-(shell.pid ?? 0), 'SIGINT')
    expect((await created).status).toBe(201)
    await exited
    await untilGone(pid)
    expect(output).toContain('"msg":"stopped"')
  })

  it.skipIf(!existsSync('/usr/bin/script'))(
    'in a terminal, requests do not scroll the address away',
    async () => {
      start("script -qefc 'npm start' /dev/null")
      const address = /is listening on (\S+)/
      await vi.waitFor(() => expect(output).toMatch(address), { timeout: startMs, interval: 50 })
      const url = address.exec(output)?.[1] ?? ''
      for (let n = 0; n < 3; n++) expect((await new Api(url).get('/v1/health')).status).toBe(200)
      expect(output).toContain('with CAIRN_LOG_LEVEL=info also each request')
      shell.kill('SIGINT')
      process.kill(-(shell.pid ?? 0), 'SIGINT')
      await exited
      await expect(new Api(url).get('/v1/health')).rejects.toThrow()
      // No line of the log, which are JSON.
      expect(output).not.toMatch(/^\{/m)
    },
  )
})
