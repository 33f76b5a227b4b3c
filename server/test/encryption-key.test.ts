import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadEncryptionKey } from '../src/cli/encryption-key.ts'

describe('the encryption key', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-key-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is created once, readable only for its owner, with its folder', async () => {
    const data = join(folder, 'data')
    const key = await loadEncryptionKey(undefined, data)
    expect(key).toHaveLength(32)
    expect(await loadEncryptionKey(undefined, data)).toEqual(key)
    expect((await stat(join(data, 'encryption-key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(data)).toEqual(['encryption-key'])
    expect(Buffer.from((await readFile(join(data, 'encryption-key'), 'utf8')).trim(), 'base64')).toEqual(key)
  })

  it('is the same for several concurrent starts', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKey(undefined, folder)))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(await readdir(folder)).toEqual(['encryption-key'])
  })

  it('is the configured key if there is one, and then no file is written', async () => {
    const configured = Buffer.alloc(32, 7)
    expect(await loadEncryptionKey(configured, folder)).toBe(configured)
    expect(await readdir(folder)).toEqual([])
  })

  it.each(['', 'nonsense', 'abc='])('rejects a file that contains %j, without changing it', async (text) => {
    await writeFile(join(folder, 'encryption-key'), text)
    await expect(loadEncryptionKey(undefined, folder)).rejects.toThrow('no usable key')
    expect(await readFile(join(folder, 'encryption-key'), 'utf8')).toBe(text)
  })
})
