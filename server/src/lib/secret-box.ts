import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A sealed secret cannot be opened: another key or place was used, or the text has changed. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError'
}

export const encryptionKeyBytes = 32
const version = 'v1.'
const ivBytes = 12
const tagBytes = 16

/** 32 bytes as 64 hexadecimal characters or as base64 (plain or URL-safe); undefined for anything else. */
export function parseEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  return Buffer.from(text, 'base64')
}

/** Encrypts secrets for the database (AES-256-GCM). */
export class SecretBox {
  readonly #key: Buffer

  constructor(key: Buffer) {
    if (key.length !== encryptionKeyBytes) throw new Error('an encryption key has 32 bytes')
    this.#key = key
  }

  /** Encrypts a secret. `place` identifies its owner (an id); the secret can be opened only with the same place. */
  seal(secret: string, place: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** Decrypts a secret. Throws SecretBoxError; the message contains nothing secret. */
  open(sealed: string, place: string): string {
    const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
    if (!sealed.startsWith(version) || bytes.length < ivBytes + tagBytes) {
      throw new SecretBoxError('what is stored is no sealed secret')
    }
    const tag = bytes.subarray(ivBytes, ivBytes + tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
    try {
      const opened = decipher.update(bytes.subarray(ivBytes + tagBytes))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new SecretBoxError('the secret was sealed with another encryption key', { cause })
    }
  }
}
