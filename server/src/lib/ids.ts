import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const timeLength = 9
const tailLength = 11

/** Random bytes are generated in blocks: one system call is enough for about 370 ids. */
let pool = Buffer.alloc(0)
let used = 0

function randomTail(length: number): string {
  if (used + length > pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  let tail = ''
  for (let i = 0; i < length; i++) tail += alphabet[(pool[used + i] ?? 0) % 36]
  used += length
  return tail
}

let lastTime = -1
let lastTail = ''

/** The next tail in order. After the last possible tail, a random tail follows. */
function nextTail(tail: string): string {
  let at = tail.length - 1
  while (at >= 0 && tail[at] === 'z') at--
  if (at < 0) return randomTail(tail.length)
  const digit = alphabet[alphabet.indexOf(tail[at] ?? '') + 1] ?? ''
  return tail.slice(0, at) + digit + '0'.repeat(tail.length - at - 1)
}

/**
 * A new identifier: `prefix` + 20 characters of 0-9a-z. The first nine are the time in base 36, so ids sort by time.
 * Ids that one process creates in the same millisecond sort in order of creation, also within a batch. Ids are unique
 * but not secret.
 */
export function newId(prefix: string, now = Date.now()): string {
  lastTail = now === lastTime ? nextTail(lastTail) : randomTail(tailLength)
  lastTime = now
  return prefix + now.toString(36).padStart(timeLength, '0') + lastTail
}

/** The lower bound of all ids created at `ms` or later; every earlier id sorts before it. */
export function earliestId(prefix: string, ms: number): string {
  return prefix + ms.toString(36).padStart(timeLength, '0')
}

/** Excludes letters that look like digits. */
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** An identifier that reveals nothing, not even its creation time: `prefix` + 26 characters, 130 random bits. */
export function newOpaqueId(prefix: string): string {
  return prefix + Array.from(randomBytes(26), (byte) => base32[byte % 32]).join('')
}

/** The secret part of a key: 192 random bits as 48 hexadecimal characters. */
export function newSecret(): string {
  return randomBytes(24).toString('hex')
}
