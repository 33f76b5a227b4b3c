import { PartialRecord, type RawRecord } from '../../traces/index.ts'

const [lineFeed, quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from(
  '\n"\\,[]{}',
) as unknown as [number, number, number, number, number, number, number, number]

function isBetween(byte: number): boolean {
  return byte <= 0x20 || byte === comma || byte === openList || byte === closeList || byte >= 0x80
}

/** The place in a file of JSON values. */
class Scanner {
  readonly #partial: PartialRecord
  #depth = 0
  #isInRecord = false
  #isInText = false
  #isEscaped = false
  /** Bytes and line feeds between the record before and this one, and line feeds in this one. */
  #bytesBefore = 0
  #linesBefore = 0
  #linesInside = 0

  constructor(maxBytes: number) {
    this.#partial = new PartialRecord(maxBytes)
  }

  *scan(chunk: Buffer): Generator<RawRecord> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === lineFeed) this.#isInRecord ? this.#linesInside++ : this.#linesBefore++
      if (!this.#isInRecord) {
        if (isBetween(byte)) {
          this.#bytesBefore++
          continue
        }
        this.#isInRecord = true
        from = at
      }
      if (!this.#endsAt(byte)) continue
      this.#partial.add(chunk.subarray(from, at + 1))
      yield this.#take(true)
    }
    if (this.#isInRecord) this.#partial.add(chunk.subarray(from))
  }

  /** The rest of the file: a value that is cut off, or the end of the list. */
  *end(): Generator<RawRecord> {
    if (this.#isInRecord || this.#bytesBefore > 0) yield this.#take(!this.#isInRecord)
  }

  /** Whether the record ends with this byte. Values other than objects end with their line. */
  #endsAt(byte: number): boolean {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#isInText = false
      return false
    }
    if (byte === quote) this.#isInText = true
    else if (byte === openObject || byte === openList) this.#depth++
    else if (byte === closeObject || byte === closeList) {
      this.#depth = Math.max(0, this.#depth - 1)
      return this.#depth === 0
    }
    return this.#depth === 0 && byte === lineFeed
  }

  #take(isEnded: boolean): RawRecord {
    const { length, ...record } = this.#partial.take()
    const lines = this.#linesBefore + this.#linesInside
    const taken = {
      ...record,
      length: this.#bytesBefore + length,
      isEnded,
      lines,
      linesBefore: this.#linesBefore,
    }
    this.#isInRecord = false
    this.#bytesBefore = 0
    this.#linesBefore = 0
    this.#linesInside = 0
    return taken
  }
}

/** Splits a JSON list of objects, or objects after each other, also over several lines each, into the objects. */
export async function* splitJsonValues(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<RawRecord[]> {
  const scanner = new Scanner(maxBytes)
  for await (const chunk of chunks) yield [...scanner.scan(chunk)]
  yield [...scanner.end()]
}
