import { distance } from 'fastest-levenshtein'
import { isStopWord } from '../../../lib/text.ts'
import { type Parsed, parse, type Word } from './clauses.ts'
import { probability } from './weights.ts'

interface Compared {
  question: Parsed
  wanted: Parsed
  stated: Parsed
  /** The original expected answer, for the items of its lists. */
  expected: string
  /** Words of the matching figures; other words then count less. Undefined without figures. */
  figureWords: ReadonlySet<string> | undefined
}

export interface Coverage {
  score: number
  reasoning: string
  /** Expected words that the output lacks, and output words that are in neither the answer nor the question. */
  missing: readonly Word[]
  extra: readonly Word[]
  features: readonly number[]
}

/** A word, or the words of one name. */
interface Unit {
  words: readonly Word[]
  isName: boolean
}

/** The share of the expected answer that the output contains. Words that are not in the question have the most weight. */
export function coverageOf({ question, wanted, stated, expected, figureWords }: Compared): Coverage {
  const asked = new Set(question.words.map(({ concept }) => concept))
  const words = distinct(wanted.words).filter(({ text }) => !figureWords?.has(text))
  const telling = words.filter(({ text }) => !isStopWord(text))
  // An answer of stop words only ("there") is compared by its stop words.
  const all = telling.length > 0 || figureWords ? telling : words
  const isFound = findAlike(stated.words)
  const isWanted = findAlike(all)
  const units = unitsOf(all).map((unit) => ({ ...unit, found: foundShare(unit, isFound, stated.words) }))
  const isAsked = ({ words: some }: Unit) => some.every(({ concept }) => asked.has(concept))
  const added = units.filter((unit) => !isAsked(unit))
  const missing = units.filter(({ found }) => found === 0).flatMap((unit) => unit.words)
  const extra = distinct(stated.words).filter((word) => !asked.has(word.concept) && !isWanted(word))
  const share = (some: readonly { found: number }[]) =>
    some.length === 0 ? 1 : some.reduce((sum, { found }) => sum + found, 0) / some.length
  const names = added.filter(({ isName }) => isName)
  const lostNames = names.filter(({ found }) => found === 0)
  const items = itemsOf(expected)
  const lostItems = items.filter(
    (item) => item.words.length > 0 && !item.words.some((word) => isFound(word) > 0),
  )
  const outputWords = Math.max(1, distinct(stated.words).length)
  const features = [
    1,
    share(added),
    share(units),
    share(added) === 1 ? 1 : 0,
    lostNames.length > 0 ? 1 : 0,
    lostNames.length > 0 && extra.some(({ isName }) => isName) ? 1 : 0,
    names.length > 0 && lostNames.length === 0 ? 1 : 0,
    lostItems.length > 0 ? 1 : 0,
    figureWords ? 1 : 0,
    figureWords ? share(added) : 0,
    added.length === 0 ? 1 : 0,
    Math.min(added.length, 10) / 10,
    Math.min(1, extra.length / Math.max(1, all.length) / 3),
    extra.length / outputWords,
    units.some(({ found }) => found > 0) ? 1 : 0,
    added.length === 0 ? share(units) : 0,
    stated.words.length <= 2 * all.length + 2 ? extra.length / outputWords : 0,
  ]
  const count = all.length - missing.length
  const shown = missing.slice(0, 5).map(({ text }) => text)
  const reasoning =
    missing.length === 0
      ? `all ${all.length} words of the expected answer are in the output`
      : `${count} of ${all.length} words of the expected answer are in the output; missing: ${shown.join(', ')}`
  return { score: toScore(probability(features)), reasoning, missing, extra, features }
}

/** From this probability an answer counts as right, with this score. */
const bar = { probability: 0.5, score: 0.7 }

/** Maps a probability to a score: 0.7 at the bar, linear on both sides. */
function toScore(found: number): number {
  if (found >= bar.probability)
    return bar.score + ((found - bar.probability) / (1 - bar.probability)) * (1 - bar.score)
  return (found / bar.probability) * bar.score
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.concept, word])).values()]
}

/** Adjacent capitalised words are one name. */
function unitsOf(words: readonly Word[]): Unit[] {
  const units: Unit[] = []
  for (const word of words) {
    const last = units.at(-1)
    const before = last?.words.at(-1)
    if (last?.isName && word.isName && before && word.place === before.place + 1) {
      units[units.length - 1] = { words: [...last.words, word], isName: true }
    } else units.push({ words: [word], isName: word.isName })
  }
  return units
}

/** A name is found by its last word, unless the output has another given name before it. */
function foundShare(
  { words, isName }: Unit,
  isFound: (word: Word) => number,
  stated: readonly Word[],
): number {
  const [word] = words
  if (words.length === 1 && word) return isFound(word)
  const last = words.at(-1) as Word
  const first = words[0] as Word
  if (!isName) return words.every((one) => isFound(one) > 0) ? 1 : 0
  if (words.every((one) => isFound(one) > 0)) return 1
  const joined = words.map(({ text }) => text).join('')
  if (stated.some(({ text }) => text === joined)) return 1
  const initials = words.map(({ text }) => text[0]).join('')
  if (words.length > 2 && stated.some(({ text }) => text === initials)) return 1
  if (isFound(last) === 0) {
    const [start, next] = [stated.findIndex((one) => one.concept === first.concept), last]
    const follower = stated[start + 1]
    const isOtherName =
      follower?.isName && follower.place === (stated[start]?.place ?? 0) + 1 && follower !== next
    if (start < 0 || isOtherName) return 0
    return stated.length <= 6 || (words.length > 2 && words.filter((one) => isFound(one) > 0).length >= 2)
      ? 1
      : 0
  }
  if (isFound(first) > 0) return 1
  const at = stated.findIndex((one) => one.concept === last.concept)
  const before = stated[at - 1]
  const isOther = before?.isCapital && before.place === (stated[at]?.place ?? 0) - 1
  const isShort =
    Math.min(before?.text.length ?? 0, first.text.length) <= 4 ||
    distance(before?.text ?? '', first.text) <= 2
  if (!isOther || before.text.length < 2) return 1
  return isShort && before.text.slice(0, 2) === first.text.slice(0, 2) ? 1 : 0
}

const leastStart = 5

/** Returns how surely a word is similar to one of `words`, from 0 to 1. */
function findAlike(words: readonly Word[]): (word: Word) => number {
  const concepts = new Set(words.map(({ concept }) => concept))
  const distinctTexts = [...new Map(words.map((word) => [word.text, word])).values()]
  const byStart = Map.groupBy(distinctTexts, ({ text }) => text.slice(0, leastStart))
  const byFirst = Map.groupBy(distinctTexts, ({ text }) => text.slice(0, 1))
  return (word) => {
    if (concepts.has(word.concept)) return 1
    if ((byStart.get(word.text.slice(0, leastStart)) ?? []).some((other) => isAlike(word, other))) return 1
    if ((byFirst.get(word.text.slice(0, 1)) ?? []).some((other) => isMisspelt(word, other))) return 1
    return 0
  }
}

/** The words have the same meaning, or one is a form of the other: long words with the same start. */
function isAlike(a: Word, b: Word): boolean {
  if (a.concept === b.concept) return true
  const longer = Math.max(a.text.length, b.text.length)
  let start = 0
  while (start < longer && a.text[start] === b.text[start]) start++
  return start >= leastStart && start >= 0.6 * longer
}

const longestName = 40

function isMisspelt(a: Word, b: Word): boolean {
  const [x, y] = [plain(a.text), plain(b.text)]
  if (x === y) return true
  if (!a.isName || !b.isName || Math.min(x.length, y.length) < 6 || x.length > longestName) return false
  return Math.abs(x.length - y.length) <= 2 && distance(x, y) <= (x.length >= 9 ? 2 : 1)
}

/** Without accents, and without the number of a footnote. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/(?<=\p{L}{3})\d{1,2}$/u, '')
}

/** The items of a list in a sentence; empty if there is no list. */
function itemsOf(text: string): Parsed[] {
  const parts = text.split(/,\s+(?:and\s+|or\s+)?|\s+(?:and|or|sowie|und|et|y)\s+|;\s+/)
  return parts.length > 1 ? parts.map((part) => parse(part)) : []
}
