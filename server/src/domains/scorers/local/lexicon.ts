import { stem } from '../../../lib/text.ts'
import { groups, irregular, opposites, synonyms } from './lexicon.data.ts'

export interface Meaning {
  concept: string
  sign: 1 | -1
  /** The word denies the statement. */
  denies: boolean
}

/** By word, and by stem; several words may share a stem. */
const meanings = new Map<string, Meaning>()
const meaningsOfStems = new Map<string, Meaning>()
const groupOf = new Map<string, number>()

function learn(word: string, meaning: Meaning): void {
  if (!meanings.has(word)) meanings.set(word, meaning)
  if (!meaningsOfStems.has(stem(word))) meaningsOfStems.set(stem(word), meaning)
}

/** From an irregular form to its word. */
const baseOf = new Map<string, string>(
  irregular
    .trim()
    .split(/,\s*/)
    .flatMap((line) => {
      const [base = '', ...forms] = line.split(' ')
      return forms.map((form) => [form, base] as const)
    }),
)

/** The stem of a lower-case English word, including irregular forms. */
export function baseStem(word: string): string {
  return stem(baseOf.get(word) ?? word)
}

for (const line of opposites.trim().split('\n')) {
  const strict = line.startsWith('!')
  const [same = '', other = ''] = line.replace('!', '').split('~')
  const concept = `=${same.trim().split(' ')[0]}`
  for (const word of same.trim().split(' ')) learn(word, { concept, sign: 1, denies: false })
  for (const word of other.trim().split(' ')) learn(word, { concept, sign: -1, denies: strict })
}
for (const line of synonyms.trim().split('\n')) {
  const words = line.split(' ')
  const known = words.map((word) => meanings.get(word)).find((meaning) => meaning !== undefined)
  const meaning = known ?? { concept: `=${words[0]}`, sign: 1, denies: false }
  for (const word of words) learn(word, meaning)
}
for (const [index, line] of groups.trim().split('\n').entries()) {
  for (const word of line.split(' ')) groupOf.set(stem(word), index)
}

/** The lexicon entry of a lower-case word in any form. */
export function meaningOf(word: string): Meaning | undefined {
  return (
    meanings.get(word) ??
    meanings.get(baseOf.get(word) ?? '') ??
    meaningsOfStems.get(baseStem(word)) ??
    meaningOfComparative(word)
  )
}

/** Older, oldest, heavier, bigger. */
function meaningOfComparative(word: string): Meaning | undefined {
  const root = /^([a-z]{2,})(?:er|est)$/.exec(word)?.[1]
  if (root === undefined) return undefined
  const forms = [root, `${root}e`, root.replace(/i$/, 'y'), root.replace(/(.)\1$/, '$1')]
  return forms.map((form) => meanings.get(form)).find((meaning) => meaning !== undefined)
}

/** The number of the group whose members exclude one another. */
export function groupOfWord(word: string): number | undefined {
  return groupOf.get(stem(word))
}
