import { isStopWord } from '../../../lib/text.ts'
import { type Parsed, parse, type Word } from './clauses.ts'

interface Compared {
  question: Parsed
  wanted: Parsed
  stated: Parsed
  /** The expected answer as written, for the items of its lists. */
  expected: string
  /** Words of its figures, which agree: other words count less then. Undefined without figures. */
  figureWords: ReadonlySet<string> | undefined
}

interface Coverage {
  score: number
  reasoning: string
  /** Words of the expected answer that the output lacks, and of the output that neither the answer nor the question has. */
  missing: readonly Word[]
  extra: readonly Word[]
}

/** How much the words of the question count that the expected answer repeats. */
const repeatedShare = 0.25
/** Share of words found from which an answer counts as right, and what that is as a score. */
const bar = { found: 0.51, score: 0.7 }

/** How much of what the expected answer says is in the output; words it adds to the question count most. */
export function coverageOf({ question, wanted, stated, expected, figureWords }: Compared): Coverage {
  const asked = new Set(question.words.map(({ concept }) => concept))
  const words = distinct(wanted.words).filter(({ text }) => !figureWords?.has(text))
  const telling = words.filter(({ text }) => !isStopWord(text))
  // An answer of stop words alone ("there") is told by them.
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

/** 0.7 for the share that counts as right, straight lines to both sides. */
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

/** Tells whether some of these words is like another one; only words that begin alike are compared. */
function findAlike(words: readonly Word[]): (word: Word) => boolean {
  const concepts = new Set(words.map(({ concept }) => concept))
  const distinctTexts = [...new Map(words.map((word) => [word.text, word])).values()]
  const byStart = Map.groupBy(distinctTexts, ({ text }) => text.slice(0, leastStart))
  return (word) =>
    concepts.has(word.concept) ||
    (byStart.get(word.text.slice(0, leastStart)) ?? []).some((other) => isAlike(word, other))
}

/** Of one meaning, or one a form of the other: long words that begin alike. */
function isAlike(a: Word, b: Word): boolean {
  if (a.concept === b.concept) return true
  const longer = Math.max(a.text.length, b.text.length)
  let start = 0
  while (start < longer && a.text[start] === b.text[start]) start++
  return start >= leastStart && start >= 0.6 * longer
}

/** The items of a list in a sentence, else nothing. */
function itemsOf(text: string): Parsed[] {
  const parts = text.split(/,\s+(?:and\s+|or\s+)?|\s+(?:and|or|sowie|und|et|y)\s+|;\s+/)
  return parts.length > 1 ? parts.map((part) => parse(part)) : []
}
