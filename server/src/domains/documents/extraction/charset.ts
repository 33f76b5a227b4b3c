/** Number of bytes to inspect, and the smallest number that allows a decision. */
const [sampleBytes, minBytes] = [4096, 16]

/**
 * Detects UTF-16 without a byte order mark. In text of mostly Latin letters, about every other byte is NUL, and the
 * byte next to it is a printable character; binary data does not look like that.
 *
 * @returns the encoding, or undefined if the bytes do not look like UTF-16
 */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < minBytes || bytes.length % 2 === 1) return undefined
  if (looksLike(bytes, 0)) return 'utf-16le'
  return looksLike(bytes, 1) ? 'utf-16be' : undefined
}

/** `low` is the position of the low byte in each pair. */
function looksLike(bytes: Uint8Array, low: 0 | 1): boolean {
  const length = Math.min(sampleBytes, bytes.length)
  let latin = 0
  for (let at = 0; at < length; at += 2) {
    const [lowByte, highByte] = [bytes[at + low] ?? 0, bytes[at + 1 - low] ?? 0]
    if (highByte !== 0) continue
    if (lowByte < 0x20 && lowByte !== 0x09 && lowByte !== 0x0a && lowByte !== 0x0d) return false
    latin++
  }
  return latin >= 0.4 * (length / 2)
}
