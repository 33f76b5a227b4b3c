import { parse, stemsOf } from './clauses.ts'
import { baseStem } from './lexicon.ts'

const separator = /,\s+(?:and\s+|or\s+)?|\s+(?:and|or|&|as well as)\s+/
/** Longer items are clauses. */
const longestItem = 3
const longestOutput = 20

/** An item that the output adds to a list: "red, white and blue" for "red and white". */
export function findMoreItems(question: string, expected: string, output: string): string | undefined {
  const wanted = itemsOf(expected)
  const words = output.split(/\s+/).length
  if (wanted.length < 2 || words > longestOutput) return undefined
  const known = stemsOf(expected, question)
  const isKnown = (item: string) =>
    parse(item).words.some(({ concept, text }) => known.has(concept) || known.has(baseStem(text)))
  const items = itemsOf(output.replace(/[.!?]\s*$/, ''))
  if (items.length <= wanted.length) return undefined
  const after = items.findIndex(isKnown)
  return items
    .slice(after + 1)
    .find((item) => item.split(/\s+/).length <= longestItem && parse(item).words.length > 0 && !isKnown(item))
}

/** The items of a bare list; empty if the text is no list. */
function itemsOf(text: string): string[] {
  const parts = text.trim().split(separator)
  const items = parts.map((part) => part.trim()).filter((part) => part !== '')
  // The first item may follow a whole sentence: "The flag is red, white and blue".
  const isList = items.length > 1 && items.slice(1).every((item) => item.split(/\s+/).length <= longestItem)
  return isList ? items : []
}
