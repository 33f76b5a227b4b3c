import { ExtractionError } from './errors.ts'
import { refuseDeepNesting } from './nesting.ts'
import { decodeText } from './plain-text.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'

/** A JSON file exactly as it is; the keys and indices that lead to a value are its headings. @throws ExtractionError */
export function extractJson(bytes: Uint8Array): ExtractedDocument {
  const text = decodeText(bytes)
  refuseMalformed(text)
  const { headings, breaks } = outlineOf(text)
  return { text, pages: [], headings, breaks }
}

function refuseMalformed(text: string): void {
  try {
    JSON.parse(text)
  } catch (cause) {
    throw new ExtractionError('malformed', 'The JSON is malformed.', { cause })
  }
}

/** An open object or array. */
interface Container {
  isArray: boolean
  /** Of the entry that comes next. */
  index: number
  /** A key or an element comes next, not the value of a key. */
  atEntry: boolean
}

/** A string's opening quote, a bracket or separator, or any other scalar; the text is known to be valid. */
const lexeme = /["[\]{}:,]|[^\s[\]{}:,"]+/g

function outlineOf(text: string): ValueOutline {
  const outline = new ValueOutline()
  const open: Container[] = []
  lexeme.lastIndex = 0
  for (let match = lexeme.exec(text); match; match = lexeme.exec(text)) {
    const mark = match[0]
    if (mark === '"') lexeme.lastIndex = endOfString(text, match.index)
    const inside = open.at(-1)
    if (mark === ',') {
      if (inside) inside.atEntry = true
    } else if (mark === '}' || mark === ']') open.pop()
    else if (mark !== ':') {
      if (inside?.atEntry) addEntry(outline, text.slice(match.index, lexeme.lastIndex), match.index, open)
      if (mark === '{' || mark === '[') open.push({ isArray: mark === '[', index: 0, atEntry: true })
      refuseDeepNesting(open.length)
    }
  }
  return outline
}

function addEntry(outline: ValueOutline, literal: string, at: number, open: readonly Container[]): void {
  const inside = open.at(-1)
  if (!inside) return
  if (inside.isArray) outline.addElement(at, open.length, inside.index++, !/^[[{]/.test(literal))
  else outline.addKey(at, open.length, JSON.parse(literal) as string)
  inside.atEntry = false
}

/** The offset behind the quote that closes the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
