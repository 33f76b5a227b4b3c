import { isUtf8 } from 'node:buffer'
import { giveWay } from '../turns.ts'
import { isSpace, type JsonLimits, JsonScan, type LargeContainer, type LargeValue } from './scan.ts'

const backslash = 0x5c
const letterU = 0x75

/** Bytes of text to parse, or units of work, between two turns: about a millisecond. */
const defaultPieceBytes = 64 * 1024
const scanSteps = 20_000

/**
 * Parses like JSON.parse, but with pauses for other work: large objects, lists and texts are parsed piece by piece.
 *
 * @throws SyntaxError if JSON.parse would throw or the bytes are not UTF-8; TooMuchJson
 */
export async function parseJson(
  bytes: Buffer,
  limits: JsonLimits,
  pieceBytes = defaultPieceBytes,
): Promise<unknown> {
  const scan = scanOf(bytes, limits, pieceBytes)
  while (!scan.step(scanSteps)) await giveWay()
  const large = scan.result()
  return large ? new PiecewiseParser(bytes, limits, pieceBytes).whole(large) : parseText(bytes)
}

/** Like `parseJson`, but synchronous: for texts of at most one piece, without items. */
export function parseSmallJson(bytes: Buffer, limits: Omit<JsonLimits, 'items'>): unknown {
  const scan = scanOf(bytes, limits, Number.POSITIVE_INFINITY)
  scan.step(Number.POSITIVE_INFINITY)
  scan.result()
  return parseText(bytes)
}

/** Limits of JSON in a form field, which holds only a few settings. */
export const fieldLimits: JsonLimits = { depth: 100, fields: 1000, values: 20_000 }

/** Whether the bytes are few enough for `parseSmallJson`. */
export function isSmallJson({ length }: Uint8Array): boolean {
  return length <= defaultPieceBytes
}

/** `parseSmallJson` for a text in a field of a form. */
export function parseJsonField(text: string): unknown {
  return parseSmallJson(Buffer.from(text), fieldLimits)
}

function scanOf(bytes: Buffer, limits: JsonLimits, pieceBytes: number): JsonScan {
  // Decoding would silently replace invalid bytes with U+FFFD.
  if (!isUtf8(bytes)) throw new SyntaxError('the text is not UTF-8')
  return new JsonScan(bytes, limits, pieceBytes)
}

function parseText(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'))
}

/** Sets a field even if its name is `__proto__`, which is an ordinary name in JSON. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
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

  whole(large: LargeValue): Promise<unknown> {
    this.#requireSpace(0, large.from)
    this.#requireSpace(large.to, this.#bytes.length)
    return this.#value(large)
  }

  async #value(large: LargeValue): Promise<unknown> {
    switch (large.kind) {
      case 'text':
        return this.#text(large.from, large.to)
      case 'object':
        return this.#object(large)
      case 'list':
        return this.#list(large)
      case 'refused':
        return this.#limits.items?.refuse(large.limit)
    }
  }

  async #list({ pieces }: LargeContainer): Promise<unknown[]> {
    const list: unknown[] = []
    for (const { from, to, large } of pieces) {
      if (large) {
        this.#requireSpace(from, large.from)
        this.#requireSpace(large.to, to)
        list.push(await this.#value(large))
      } else {
        for (const value of JSON.parse(`[${this.#slice(from, to)}]`) as unknown[]) list.push(value)
      }
      await this.#worked(to - from)
    }
    return list
  }

  async #object({ pieces }: LargeContainer): Promise<Record<string, unknown>> {
    const object: Record<string, unknown> = {}
    for (const { from, to, large } of pieces) {
      if (large) await this.#largeField(object, from, to, large)
      else {
        const part = JSON.parse(`{${this.#slice(from, to)}}`) as Record<string, unknown>
        for (const name of Object.keys(part)) setField(object, name, part[name])
      }
      await this.#worked(to - from)
    }
    return object
  }

  async #largeField(
    object: Record<string, unknown>,
    from: number,
    to: number,
    large: LargeValue,
  ): Promise<void> {
    const before = this.#slice(from, large.from).trimEnd()
    if (before === '' || !before.endsWith(':')) {
      // The name itself is large, or the colon is missing; JSON.parse reports the difference.
      const part = JSON.parse(`{${this.#slice(from, to)}}`) as Record<string, unknown>
      for (const name of Object.keys(part)) setField(object, name, part[name])
      return
    }
    const name: unknown = JSON.parse(before.slice(0, -1))
    if (typeof name !== 'string') throw new SyntaxError('a name is no text')
    this.#requireSpace(large.to, to)
    setField(object, name, await this.#value(large))
  }

  /** A text between its quotation marks. Pieces end at the boundary of a character or an escape. */
  async #text(from: number, to: number): Promise<string> {
    let text = ''
    for (let at = from + 1; at < to - 1; ) {
      const end = this.#cut(at, to - 1)
      text += JSON.parse(`"${this.#slice(at, end)}"`)
      await this.#worked(end - at)
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

  async #worked(bytes: number): Promise<void> {
    this.#sinceTurn += bytes
    if (this.#sinceTurn < this.#pieceBytes) return
    this.#sinceTurn = 0
    await giveWay()
  }
}
