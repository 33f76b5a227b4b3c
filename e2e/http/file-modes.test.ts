import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { type Server, startServer } from '../support/server.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('the files of the server', () => {
  let root: string
  let dataDir: string
  let server: Server | undefined

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cairn-modes-'))
    dataDir = join(root, 'data')
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    await rm(root, { recursive: true, force: true })
  })

  // Without a token in the environment, the server creates and stores one.
  const start = async () => {
    server = await startServer({ dataDir, env: { CAIRN_ADMIN_TOKEN: undefined, TMPDIR: root } })
    return server
  }
  const modes = async (folder = dataDir) => {
    const names = await readdir(folder)
    const pairs = names.map(async (name) => [name, await modeOf(join(folder, name))] as const)
    return Object.fromEntries(await Promise.all(pairs))
  }
  const closed = {
    'cairn.db': '600',
    'cairn.db-wal': '600',
    'cairn.db-shm': '600',
    'admin-token': '600',
    'encryption-key': '600',
  }

  it('are closed to other users in a folder that the server creates', async () => {
    dataDir = join(root, 'deep', 'data')
    await start()
    expect(await modes()).toEqual(closed)
    expect([await modeOf(dataDir), await modeOf(join(root, 'deep'))]).toEqual(['700', '700'])
  })

  it('are closed to other users in an existing folder that is open to all', async () => {
    await mkdir(dataDir)
    await chmod(dataDir, 0o755)
    await start()
    expect(await modes()).toEqual(closed)
    expect(await modeOf(dataDir)).toBe('700')
  })

  it('are closed to other users after they were open, including the write-ahead log of a killed server', async () => {
    await (await start()).kill()
    for (const name of await readdir(dataDir)) await chmod(join(dataDir, name), 0o644)
    await chmod(dataDir, 0o755)
    expect(Object.keys(await modes()).toSorted()).toEqual(Object.keys(closed).toSorted())
    await start()
    expect(await modes()).toEqual(closed)
    expect(await modeOf(dataDir)).toBe('700')
  })

  it('are closed to other users by every command that opens them', async () => {
    await mkdir(dataDir)
    for (const name of ['cairn.db', 'encryption-key']) await writeFile(join(dataDir, name), '')
    for (const name of await readdir(dataDir)) await chmod(join(dataDir, name), 0o666)
    await chmod(dataDir, 0o777)
    const place = { dataDir, env: {}, remove: async () => {} }
    expect((await runCommand(place, ['migrate'])).code).toBe(0)
    expect(await modes()).toEqual({ 'cairn.db': '600', 'encryption-key': '600' })
    expect(await modeOf(dataDir)).toBe('700')
  })

  it('are the only files whose mode changes', async () => {
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'notes.txt'), 'not of Cairn')
    await chmod(join(dataDir, 'notes.txt'), 0o644)
    await chmod(dataDir, 0o755)
    await start()
    expect(await modes()).toEqual({ ...closed, 'notes.txt': '644' })
    expect(await modeOf(dataDir)).toBe('755')
  })

  it('cannot be read by other users in any place', async () => {
    const cache = join(root, `cairn-compile-cache-${process.getuid?.()}`)
    await mkdir(cache)
    await chmod(cache, 0o755)
    const { url } = await start()
    expect(url).toMatch(/^http/)
    await server?.stop()
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.parentPath.startsWith(cache)).length).toBeGreaterThan(1)
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      expect([path, await modeOf(path)]).toEqual([path, entry.isDirectory() ? '700' : '600'])
    }
  })
})
