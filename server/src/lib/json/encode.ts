import { createHash } from 'node:crypto'
import { sha256 } from '../hash.ts'
import { giveWay } from '../turns.ts'

/** Number of values, and of characters of texts, that are encoded between two pauses. */
const pieceValues = 1000
const pieceLength = 32 * 1024

/** The bytes of JSON.stringify for a value that JSON.parse could return. Large values are encoded with pauses. */
export async function encodeJson(value: unknown): Promise<Buffer> {
  if (isSmall(value)) return Buffer.from(JSON.stringify(value))
  const chunks: Buffer[] = []
  for await (const text of pieces(value)) chunks.push(Buffer.from(text))
  return Buffer.concat(chunks)
}

/** `sha256(JSON.stringify(value))`, with pauses for a large value. */
export async function sha256OfJson(value: unknown): Promise<string> {
  if (isSmall(value)) return sha256(JSON.stringify(value))
  const hash = createHash('sha256')
  for await (const text of pieces(value)) hash.update(text)
  return hash.digest('hex')
}

/** The JSON of a value, in pieces, with a pause after each. */
async function* pieces(value: unknown): AsyncGenerator<string> {
  let text = ''
  for (const fragment of fragmentsOf(value)) {
    text += fragment
    if (text.length < pieceLength) continue
    yield text
    text = ''
    await giveWay()
  }
  yield text
}

function* fragmentsOf(value: unknown): Generator<string> {
  if (isSmall(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') yield* fragmentsOfText(value)
  else if (Array.isArray(value)) {
    yield '['
    for (let at = 0; at < value.length; at++) {
      if (at > 0) yield ','
      yield* fragmentsOf(value[at])
    }
    yield ']'
  } else {
    yield '{'
    let isFirst = true
    for (const [name, field] of Object.entries(value as object)) {
      if (field === undefined) continue
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      yield* fragmentsOf(field)
      isFirst = false
    }
    yield '}'
  }
}

function* fragmentsOfText(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + pieceLength, text.length)
    // Do not split a surrogate pair, because JSON.stringify would escape its halves.
    if (isHighSurrogate(text, to - 1)) to += 1
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}

/** Whether the encoding takes well below a millisecond. The check itself takes no longer than that. */
function isSmall(value: unknown): boolean {
  return remaining(value, pieceValues) >= 0
}

/** The remaining budget of values after this value; negative if the budget is exceeded. */
function remaining(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - 1 - value.length * (pieceValues / pieceLength)
  if (typeof value !== 'object' || value === null) return budget - 1
  let left = budget - 1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = remaining(value[at], left)
    return left
  }
  for (const name in value) {
    if (left < 0) return left
    left =
      remaining((value as Record<string, unknown>)[name], left) - name.length * (pieceValues / pieceLength)
  }
  return left
}
