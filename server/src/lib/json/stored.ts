import { isSmallJson, noLimits, parseJson, parseSmallJson } from './parse.ts'

const backslash = 0x5c

/**
 * JSON.parse for JSON that JSON.stringify has written. JSON.parse of V8 12.8 and later can take a key with an escape for
 * one that it has seen in another text (https://github.com/nodejs/node/issues/63785), so such texts are scanned first.
 *
 * @throws SyntaxError
 */
export function parseStoredJson(text: string): unknown {
  return hasEscapedKey(text) ? parseSmallJson(Buffer.from(text), noLimits) : JSON.parse(text)
}

/** Like `parseStoredJson` for stored bytes; a large text is parsed with pauses. */
export async function parseStoredBytes(stored: Uint8Array): Promise<unknown> {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  return isSmallJson(bytes) ? parseStoredJson(bytes.toString()) : parseJson(bytes, noLimits)
}

/** Without spaces, each key ends with a quotation mark and a colon. */
function hasEscapedKey(text: string): boolean {
  if (!text.includes('\\')) return false
  for (let end = text.indexOf('":'); end !== -1; end = text.indexOf('":', end + 2)) {
    if (isEscaped(text, end)) continue
    const from = text.lastIndexOf('"', end - 1)
    if (isEscaped(text, from) || text.slice(from, end).includes('\\')) return true
  }
  return false
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let count = 0
  while (text.charCodeAt(at - 1 - count) === backslash) count += 1
  return count % 2 === 1
}
