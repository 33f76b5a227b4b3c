import { isStopWord } from '../../../lib/text.ts'
import { type Parsed, parse, type Word } from './clauses.ts'

interface Compared {
  question: Parsed
  wanted: Parsed
  stated: Parsed
  /** The original expected answer, for the items of its lists. */
  expected: string
  /** Words of the matching figures; other words then count less. Undefined without figures. */
  figureWords: ReadonlySet<string> | undefined
}

interface Coverage {
  score: number
  reasoning: string
  /** Expected words that the output lacks, and output words that are in neither the answer nor the question. */
  missing: readonly Word[]
  extra: readonly Word[]
}

/** Weight of expected words that repeat the question. */
const repeatedShare = 0.25
/** From this share of found words an answer counts as right, with this score. */
const bar = { found: 0.51, score: 0.7 }

/** The share of the expected answer that the output contains. Words that are not in the question have the most weight. */
export function coverageOf({ question, wanted, stated, expected, figureWords }: Compared): Coverage {
  const asked = new Set(question.words.map(({ concept }) => concept))
  const words = distinct(wanted.words).filter(({ text }) => !figureWords?.has(text))
  const telling = words.filter(({ text }) => !isStopWord(text))
  // An answer of stop words only ("there") is compared by its stop words.
  const all = telling.length > 0 || figureWords ? telling : words
  const added = all.filter(({ concept }) => !asked.has(concept))
  const isFound = findAlike(stated.words)
  const missing = all.filter((word) => !isFound(word))
  const isWanted = findAlike(all)
  const extra = distinct(stated.words).filter((word) => !asked.has(word.concept) && !isWanted(word))
  const share = (words: readonly Word[]) => words.filter(isFound).length / Math.max(1, words.length)
  const found =
    added.length === 0 ? share(all) : (1 - repeatedShare) * share(added) + repeatedShare * share(all)
  const base = all.length === 0 || (figureWords && added.length === 0) ? 1 : found
  const score = Math.min(
    toScore(figureWords ? Math.max(base, 0.5 + base / 2) : base),
    ...limitsOf({ missing, expected, isFound, extra }),
  )
  const shown = missing.slice(0, 5).map(({ text }) => text)
  const reasoning =
    missing.length === 0
      ? `all ${all.length} words of the expected answer are in the output`
      : `${all.length - missing.length} of ${all.length} words of the expected answer are in the output; missing: ${shown.join(', ')}`
  return { score, reasoning, missing, extra }
}

/** Maps the share of found words to a score: 0.7 at the bar, linear on both sides. */
function toScore(found: number): number {
  if (found >= bar.found) return bar.score + ((found - bar.found) / (1 - bar.found)) * (1 - bar.score)
  return (found / bar.found) * bar.score
}

function limitsOf({
  missing,
  expected,
  isFound,
  extra,
}: Pick<Coverage, 'missing' | 'extra'> & { expected: string; isFound(word: Word): boolean }): number[] {
  const limits = [1]
  const names = missing.filter(({ isName }) => isName)
  if (names.length > 0) limits.push(extra.some(({ isName }) => isName) ? 0.2 : 0.45)
  const items = itemsOf(expected)
  const lost = items.filter((item) => item.words.length > 0 && !item.words.some(isFound))
  if (lost.length > 0) limits.push(0.6 * (1 - lost.length / items.length))
  return limits
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.concept, word])).values()]
}

const leastStart = 5

/** Returns a test whether a word is similar to one of `words`. Only words with the same start are compared. */
function findAlike(words: readonly Word[]): (word: Word) => boolean {
  const concepts = new Set(words.map(({ concept }) => concept))
  const distinctTexts = [...new Map(words.map((word) => [word.text, word])).values()]
  const byStart = Map.groupBy(distinctTexts, ({ text }) => text.slice(0, leastStart))
  return (word) =>
    concepts.has(word.concept) ||
    (byStart.get(word.text.slice(0, leastStart)) ?? []).some((other) => isAlike(word, other))
}

/** The words have the same meaning, or one is a form of the other: long words with the same start. */
function isAlike(a: Word, b: Word): boolean {
  if (a.concept === b.concept) return true
  const longer = Math.max(a.text.length, b.text.length)
  let start = 0
  while (start < longer && a.text[start] === b.text[start]) start++
  return start >= leastStart && start >= 0.6 * longer
}

/** The items of a list in a sentence; empty if there is no list. */
function itemsOf(text: string): Parsed[] {
  const parts = text.split(/,\s+(?:and\s+|or\s+)?|\s+(?:and|or|sowie|und|et|y)\s+|;\s+/)
  return parts.length > 1 ? parts.map((part) => parse(part)) : []
}
