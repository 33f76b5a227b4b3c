import type { TermTable } from '../segments/index.ts'

/** Bits of a trigram's hash in the lists. Candidates are finally compared by their letters. */
export const gramBits = 16

/** The distinct trigrams of a word with a mark at each end; none for a word with digits. */
export function gramsOf(word: string): Set<number> {
  const grams = new Set<number>()
  if (!hasGrams(word)) return grams
  const marked = `^${word}$`
  for (let start = 0; start + 3 <= marked.length; start++) grams.add(gramAt(marked, start))
  return grams
}

/** Three UTF-16 code units as one number, below 2^48. */
function gramAt(marked: string, start: number): number {
  const [first, second] = [marked.charCodeAt(start), marked.charCodeAt(start + 1)]
  return (first * 65_536 + second) * 65_536 + marked.charCodeAt(start + 2)
}

/** Terms per slice, which take one or two milliseconds. */
export const termsPerSlice = 4096

/** Calls `each` with the hash of each trigram of the first `count` terms; repeated trigrams of a term are repeated. */
export function* eachGram(
  terms: TermTable,
  count: number,
  each: (hash: number, number: number) => void,
): Generator<void> {
  for (let number = 0; number < count; number++) {
    if (number % termsPerSlice === termsPerSlice - 1) yield
    const term = terms.term(number)
    if (!hasGrams(term)) continue
    const marked = `^${term}$`
    for (let at = 0; at + 3 <= marked.length; at++) each(hashOf(gramAt(marked, at)), number)
  }
}

function hasGrams(word: string): boolean {
  return word.length >= 2 && !/\p{N}/u.test(word)
}

export function hashOf(gram: number): number {
  const high = Math.floor(gram / 65_536)
  return (
    Math.imul(Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ (gram % 65_536), 0x9e3779b1) >>> (32 - gramBits)
  )
}

/** Dice coefficient of the trigrams of two words; `grams` are the trigrams of `word`. Repeated trigrams count once. */
export function diceCoefficient(grams: ReadonlySet<number>, word: string, term: string): number {
  const marked = `^${term}$`
  const shared: number[] = []
  for (let start = 0; start + 3 <= marked.length; start++) {
    const gram = gramAt(marked, start)
    if (grams.has(gram) && !shared.includes(gram)) shared.push(gram)
  }
  return (2 * shared.length) / (word.length + term.length)
}
