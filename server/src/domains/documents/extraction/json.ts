import { ExtractionError } from './errors.ts'
import { refuseDeepNesting } from './nesting.ts'
import { decodeText } from './plain-text.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'

/**
 * Returns a JSON file unchanged; the keys and indices of the path to a value are its headings. @throws
 * ExtractionError
 */
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
  /** Index of the next entry. */
  index: number
  /** True if a key or an element comes next, not the value of a key. */
  atEntry: boolean
}

/** An opening quote, a bracket, a separator or another scalar. The text is already known to be valid JSON. */
const lexeme = /["[\]{}:,]|[^\s[\]{}:,"]+/g

function outlineOf(text: string): ValueOutline {
  const outline = new ValueOutline()
  const open: Container[] = []
  lexeme.lastIndex = 0
  for (let match = lexeme.exec(text); match; match = lexeme.exec(text)) {
    const token = match[0]
    if (token === '"') lexeme.lastIndex = endOfString(text, match.index)
    const container = open.at(-1)
    if (token === ',') {
      if (container) container.atEntry = true
    } else if (token === '}' || token === ']') open.pop()
    else if (token !== ':') {
      if (container?.atEntry) addEntry(outline, text.slice(match.index, lexeme.lastIndex), match.index, open)
      if (token === '{' || token === '[') open.push({ isArray: token === '[', index: 0, atEntry: true })
      refuseDeepNesting(open.length)
    }
  }
  return outline
}

function addEntry(outline: ValueOutline, literal: string, at: number, open: readonly Container[]): void {
  const container = open.at(-1)
  if (!container) return
  if (container.isArray) outline.addElement(at, open.length, container.index++, !/^[[{]/.test(literal))
  else outline.addKey(at, open.length, JSON.parse(literal) as string)
  container.atEntry = false
}

/** The offset after the closing quote of the string whose opening quote is at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
