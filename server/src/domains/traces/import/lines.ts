const lineFeed = 10

export interface RawLine {
  /** The line without its line feed; only the beginning if the line is too long. */
  bytes: Buffer
  /** Bytes of the line, including its line feed. */
  length: number
  isTooLong: boolean
  /** False for the last line of a file without a final line feed. */
  isEnded: boolean
}

/** Bytes that are kept of a line that is too long, to show it. */
const excerptBytes = 1000

/** The received part of an incomplete line. It keeps at most `maxBytes` and one chunk. */
class PartialLine {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #length = 0
  #isTooLong = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#length
  }

  add(part: Buffer): void {
    this.#length += part.length
    if (this.#isTooLong) return
    this.#parts.push(part)
    if (this.#length <= this.#maxBytes) return
    this.#isTooLong = true
    this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, excerptBytes))]
  }

  take(isEnded: boolean): RawLine {
    const [first = Buffer.alloc(0)] = this.#parts
    const bytes = this.#parts.length === 1 ? first : Buffer.concat(this.#parts)
    const line = { bytes, length: this.#length + (isEnded ? 1 : 0), isTooLong: this.#isTooLong, isEnded }
    this.#parts = []
    this.#length = 0
    this.#isTooLong = false
    return line
  }
}

/** Splits a stream of bytes into lines. Yields the lines of each chunk. `maxBytes` is the limit of a line without its end. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<RawLine[]> {
  const partial = new PartialLine(maxBytes)
  for await (const chunk of chunks) {
    const lines: RawLine[] = []
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      partial.add(chunk.subarray(from, end))
      lines.push(partial.take(true))
      from = end + 1
    }
    if (from < chunk.length) partial.add(chunk.subarray(from))
    yield lines
  }
  if (partial.length > 0) yield [partial.take(false)]
}
