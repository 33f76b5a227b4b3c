import { createHmac, hash, timingSafeEqual, webcrypto } from 'node:crypto'

/** SHA-256 as 64 lower-case hexadecimal characters. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** `sha256` for megabytes, on a thread of Node's pool. */
export async function sha256OfFile(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', data)).toString('hex')
}

/** Compares two secrets in constant time: neither the position of a difference nor the lengths affect it. */
export function secretsEqual(a: string, b: string): boolean {
  const left = hash('sha256', a, 'buffer')
  const right = hash('sha256', b, 'buffer')
  return timingSafeEqual(left, right)
}

/** HMAC-SHA-256 as 64 lower-case hexadecimal characters. */
export function keyedHash(key: string, data: string): string {
  return createHmac('sha256', key).update(data).digest('hex')
}
