const lineFeed = 10

export interface RawLine {
  /** Without the end of the line; of a line that is too long only the beginning. */
  bytes: Buffer
  /** Bytes of the line with its end. */
  length: number
  isTooLong: boolean
  /** False for what stands behind the last end of a line. */
  isEnded: boolean
}

/** How much of a line that is too long is kept, to show it. */
const keptOfLong = 1000

/** What has come of a line whose end has not: at most `maxBytes` and a chunk of it are held. */
class Beginning {
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
    this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, keptOfLong))]
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

/** The lines of a stream of bytes, those of a chunk together; a line may have `maxBytes`, its end not counted. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<RawLine[]> {
  const beginning = new Beginning(maxBytes)
  for await (const chunk of chunks) {
    const lines: RawLine[] = []
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      beginning.add(chunk.subarray(from, end))
      lines.push(beginning.take(true))
      from = end + 1
    }
    if (from < chunk.length) beginning.add(chunk.subarray(from))
    yield lines
  }
  if (beginning.length > 0) yield [beginning.take(false)]
}
