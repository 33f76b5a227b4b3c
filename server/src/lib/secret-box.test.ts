import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseEncryptionKey, SecretBox, SecretBoxError } from './secret-box.ts'

describe('the secret box', () => {
  const key = randomBytes(32)
  const box = new SecretBox(key)

  it.each(['whsec_abc', '', 'ü😀\0', 'x'.repeat(100_000)])('opens a sealed secret', (secret) => {
    const sealed = box.seal(secret, 'whk_1')
    expect(new SecretBox(Buffer.from(key)).open(sealed, 'whk_1')).toBe(secret)
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
  })

  it('seals the same secret differently each time, without revealing it', () => {
    const sealed = Array.from({ length: 50 }, () => box.seal('whsec_secret', 'a'))
    expect(new Set(sealed).size).toBe(50)
    for (const text of sealed)
      expect(Buffer.from(text.slice(3), 'base64url').toString()).not.toContain('secret')
  })

  it('does not open with another key, for another place, or after a bit has changed', () => {
    const sealed = box.seal('secret', 'whk_1')
    const other = new SecretBox(randomBytes(32))
    expect(() => other.open(sealed, 'whk_1')).toThrow(SecretBoxError)
    expect(() => other.open(sealed, 'whk_1')).toThrow('another encryption key')
    expect(() => box.open(sealed, 'whk_2')).toThrow(SecretBoxError)
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => box.open(`v1.${changed.toString('base64url')}`, 'whk_1'), `byte ${at}`).toThrow(
        SecretBoxError,
      )
    }
  })

  it.each(['', 'v1.', 'v1.abc', 'v2.AAAA', 'secret', 'v1.%%%%'])('refuses %j', (text) => {
    expect(() => box.open(text, 'whk_1')).toThrow(SecretBoxError)
  })

  it('accepts keys of 32 bytes, as hexadecimal or base64', () => {
    const forms = [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64url'),
    ]
    for (const text of forms) expect(parseEncryptionKey(text)?.equals(key), text).toBe(true)
    const wrong = [
      '',
      'secret',
      key.toString('hex').slice(1),
      randomBytes(31).toString('base64'),
      'x'.repeat(64),
    ]
    for (const text of [...wrong, randomBytes(33).toString('base64'), ` ${key.toString('hex')}`]) {
      expect(parseEncryptionKey(text), text).toBeUndefined()
    }
    expect(() => new SecretBox(randomBytes(16))).toThrow('32 bytes')
  })
})
