/** Bytes that are looked at, and fewer than which tell nothing. */
const [sample, fewest] = [4096, 16]

/**
 * UTF-16 without a mark, by its byte order, or undefined: in text of mostly Latin letters and spaces every other
 * byte is NUL, and beside it stands a printable character; binary data is not like that.
 */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < fewest || bytes.length % 2 === 1) return undefined
  if (looksLike(bytes, 0)) return 'utf-16le'
  return looksLike(bytes, 1) ? 'utf-16be' : undefined
}

/** `low` is the place of the low byte in each pair, 0 or 1. */
function looksLike(bytes: Uint8Array, low: 0 | 1): boolean {
  const length = Math.min(sample, bytes.length)
  let latin = 0
  for (let at = 0; at < length; at += 2) {
    const [lowByte, highByte] = [bytes[at + low] ?? 0, bytes[at + 1 - low] ?? 0]
    if (highByte !== 0) continue
    if (lowByte < 0x20 && lowByte !== 0x09 && lowByte !== 0x0a && lowByte !== 0x0d) return false
    latin++
  }
  return latin >= 0.4 * (length / 2)
}
