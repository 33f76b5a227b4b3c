import { isUtf8 } from 'node:buffer'
import { createPacer } from '../turns.ts'
import { isSpace, type JsonLimits, JsonScan, type LargeContainer, type LargeValue } from './scan.ts'

const backslash = 0x5c
const letterU = 0x75

/** Bytes that are parsed, and steps of the scan, before the next possible pause: up to a millisecond. */
const defaultPieceBytes = 64 * 1024
const scanSteps = 20_000

/**
 * Parses JSON like `JSON.parse`, with pauses for other requests: large objects, lists and texts are parsed piece by piece.
 *
 * @throws SyntaxError where JSON.parse throws one or the bytes are not UTF-8; TooMuchJson
 */
export async function parseJson(
  bytes: Buffer,
  limits: JsonLimits,
  pieceBytes = defaultPieceBytes,
): Promise<unknown> {
  const scan = scanOf(bytes, limits, pieceBytes)
  const pace = createPacer()
  while (!scan.step(scanSteps)) await pace()
  const parsing = parsePieces(bytes, limits, pieceBytes, scan.result())
  for (;;) {
    const { done, value } = parsing.next()
    if (done) return value
    await pace()
  }
}

/** `parseJson` without pauses, for small JSON (see `isSmallJson`). It has no limits for the items of a batch. */
export function parseSmallJson(bytes: Buffer, limits: Omit<JsonLimits, 'items'>): unknown {
  const scan = scanOf(bytes, limits, Number.POSITIVE_INFINITY)
  scan.step(Number.POSITIVE_INFINITY)
  // Pieces of any size: the parser never yields.
  return parsePieces(bytes, limits, Number.POSITIVE_INFINITY, scan.result()).next().value
}

/** Parses the value that a scan has found. Yields where the caller should pause. */
function* parsePieces(
  bytes: Buffer,
  limits: JsonLimits,
  pieceBytes: number,
  large: LargeValue | undefined,
): Generator<void, unknown> {
  return large ? yield* new PiecewiseParser(bytes, limits, pieceBytes).whole(large) : parseText(bytes)
}

/** Limits of JSON in a field of a form, such as scope values. */
export const fieldLimits: JsonLimits = { depth: 100, fields: 1000, values: 20_000 }

/** For JSON that was within the limits when it arrived, and for files of the operator. */
export const noLimits: JsonLimits = {
  depth: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
}

/** Whether bytes are few enough for `parseSmallJson`. */
export function isSmallJson({ length }: Uint8Array): boolean {
  return length <= defaultPieceBytes
}

/** `parseSmallJson` for a text in a field of a form. */
export function parseJsonField(text: string): unknown {
  return parseSmallJson(Buffer.from(text), fieldLimits)
}

function scanOf(bytes: Buffer, limits: JsonLimits, pieceBytes: number): JsonScan {
  // Decoding would silently replace invalid bytes by U+FFFD.
  if (!isUtf8(bytes)) throw new SyntaxError('the text is not UTF-8')
  return new JsonScan(bytes, limits, pieceBytes)
}

function parseText(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'))
}

/** Sets `__proto__` as an ordinary field, as `JSON.parse` does; an assignment would set the prototype. */
export function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

class PiecewiseParser {
  readonly #bytes: Buffer
  readonly #limits: JsonLimits
  readonly #pieceBytes: number
  #sinceTurn = 0

  constructor(bytes: Buffer, limits: JsonLimits, pieceBytes: number) {
    this.#bytes = bytes
    this.#limits = limits
    this.#pieceBytes = pieceBytes
  }

  whole(large: LargeValue): Generator<void, unknown> {
    this.#requireSpace(0, large.from)
    this.#requireSpace(large.to, this.#bytes.length)
    return this.#value(large)
  }

  *#value(large: LargeValue): Generator<void, unknown> {
    switch (large.kind) {
      case 'text':
        return yield* this.#text(large.from, large.to)
      case 'object':
        return yield* this.#object(large)
      case 'list':
        return yield* this.#list(large)
      case 'value':
        return JSON.parse(this.#slice(large.from, large.to))
      case 'refused':
        return this.#limits.items?.refuse(large.limit)
    }
  }

  *#list({ pieces }: LargeContainer): Generator<void, unknown[]> {
    const list: unknown[] = []
    for (const { from, to, large } of pieces) {
      if (large) {
        this.#requireSpace(from, large.from)
        this.#requireSpace(large.to, to)
        list.push(yield* this.#value(large))
      } else {
        for (const value of JSON.parse(`[${this.#slice(from, to)}]`) as unknown[]) list.push(value)
      }
      yield* this.#worked(to - from)
    }
    return list
  }

  *#object({ pieces }: LargeContainer): Generator<void, Record<string, unknown>> {
    const object: Record<string, unknown> = {}
    for (const { from, to, large } of pieces) {
      if (large) yield* this.#largeField(object, from, to, large)
      else {
        const part = JSON.parse(`{${this.#slice(from, to)}}`) as Record<string, unknown>
        for (const name of Object.keys(part)) setField(object, name, part[name])
      }
      yield* this.#worked(to - from)
    }
    return object
  }

  *#largeField(
    object: Record<string, unknown>,
    from: number,
    to: number,
    large: LargeValue,
  ): Generator<void, void> {
    let end = large.from
    while (end > from && isSpace(this.#bytes[end - 1])) end -= 1
    const before = this.#slice(from, end)
    if (before === '' || !before.endsWith(':')) {
      // The name itself is large, or the colon is missing. `JSON.parse` parses it, or throws.
      const part = JSON.parse(`{${this.#slice(from, to)}}`) as Record<string, unknown>
      for (const name of Object.keys(part)) setField(object, name, part[name])
      return
    }
    const name: unknown = JSON.parse(before.slice(0, -1))
    if (typeof name !== 'string') throw new SyntaxError('a name is no text')
    this.#requireSpace(large.to, to)
    setField(object, name, yield* this.#value(large))
  }

  /** A text between its quotation marks; pieces end where a character or an escape does. */
  *#text(from: number, to: number): Generator<void, string> {
    let text = ''
    for (let at = from + 1; at < to - 1; ) {
      const end = this.#cut(at, to - 1)
      text += JSON.parse(`"${this.#slice(at, end)}"`)
      yield* this.#worked(end - at)
      at = end
    }
    return text
  }

  #cut(from: number, end: number): number {
    const wanted = Math.min(from + this.#pieceBytes, end)
    let at = from
    while (at < wanted) {
      if (this.#bytes[at] === backslash) at += this.#bytes[at + 1] === letterU ? 6 : 2
      else at += 1
    }
    while (at < end && ((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
    return Math.min(at, end)
  }

  #slice(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to)
  }

  #requireSpace(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (!isSpace(this.#bytes[at])) throw new SyntaxError('something stands beside a value')
    }
  }

  *#worked(bytes: number): Generator<void, void> {
    this.#sinceTurn += bytes
    if (this.#sinceTurn < this.#pieceBytes) return
    this.#sinceTurn = 0
    yield
  }
}
