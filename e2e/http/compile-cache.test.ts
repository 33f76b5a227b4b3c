import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'

describe('compiled modules', () => {
  let temporary: string
  let folder: string

  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'cairn-compiled-'))
    folder = join(temporary, `cairn-compile-cache-${process.getuid?.()}`)
  })
  afterEach(() => rm(temporary, { recursive: true, force: true }))

  const runOnce = async () => {
    const place = { dataDir: temporary, env: { TMPDIR: temporary }, remove: async () => {} }
    expect(await runCommand(place, ['help'])).toMatchObject({ code: 0, stderr: '' })
  }

  it('are cached in a folder that only the user of the server can write to', async () => {
    await runOnce()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(folder)).not.toEqual([])
    expect(await readdir(temporary)).toEqual([`cairn-compile-cache-${process.getuid?.()}`])
    await runOnce()
  })

  it('are not cached in a folder that others can write to', async () => {
    await mkdir(folder)
    await chmod(folder, 0o777)
    await runOnce()
    expect(await readdir(folder)).toEqual([])
  })

  it('are not cached without a temporary folder', async () => {
    await rm(temporary, { recursive: true })
    await runOnce()
  })

  it('are not cached in a symbolic link', async () => {
    const elsewhere = join(temporary, 'elsewhere')
    await mkdir(elsewhere)
    await symlink(elsewhere, folder)
    await runOnce()
    expect(await readdir(elsewhere)).toEqual([])
  })
})
