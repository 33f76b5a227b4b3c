const lineFeed = 10

/** A record of a file: a line, or in other formats a part of the file. */
export interface RawRecord {
  /** The record without its end; only the beginning if the record is too long. */
  bytes: Buffer
  /** Bytes of the record, including its end and everything between it and the record before. */
  length: number
  isTooLong: boolean
  /** False for the last line of a file without a final line feed, and for other records that the file cuts off. */
  isEnded: boolean
  /** Line feeds in `length`, and those before the record begins. */
  lines: number
  linesBefore: number
}

/** Bytes that are kept of a record that is too long, to show it. */
const excerptBytes = 1000

/** The received part of an incomplete record. It keeps at most `maxBytes` and one chunk. */
export class PartialRecord {
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

  take(): Pick<RawRecord, 'bytes' | 'length' | 'isTooLong'> {
    const [first = Buffer.alloc(0)] = this.#parts
    const bytes = this.#parts.length === 1 ? first : Buffer.concat(this.#parts)
    const taken = { bytes, length: this.#length, isTooLong: this.#isTooLong }
    this.#parts = []
    this.#length = 0
    this.#isTooLong = false
    return taken
  }
}

/** Splits a stream of bytes into lines. Yields the lines of each chunk. `maxBytes` is the limit of a line without its end. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<RawRecord[]> {
  const partial = new PartialRecord(maxBytes)
  const take = (isEnded: boolean): RawRecord => {
    const { length, ...line } = partial.take()
    const ends = isEnded ? 1 : 0
    return { ...line, length: length + ends, isEnded, lines: ends, linesBefore: 0 }
  }
  for await (const chunk of chunks) {
    const lines: RawRecord[] = []
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      partial.add(chunk.subarray(from, end))
      lines.push(take(true))
      from = end + 1
    }
    if (from < chunk.length) partial.add(chunk.subarray(from))
    yield lines
  }
  if (partial.length > 0) yield [take(false)]
}
