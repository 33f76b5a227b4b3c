import type { TermTable } from '../segments/index.ts'
import type { Postings } from './postings.ts'

/** A term with a similar spelling; `similarity` is the Dice coefficient of the letter trigrams, 0..1. */
export interface SimilarTerm {
  number: number
  similarity: number
}

/**
 * A candidate with an upper bound of its similarity. The true value may be lower, because trigrams can have the same
 * hash.
 */
interface Candidate {
  number: number
  maxSimilarity: number
}

/** Less similar terms have little more than a suffix in common. */
const minSimilarity = 0.5
const maxSimilarTerms = 15
/** Bits of a trigram's hash in the lists. Candidates are finally compared by their letters. */
const gramBits = 16
/**
 * With more terms than this outside the lists, the lists are built again; until then these terms are compared
 * directly.
 */
const maxUnlisted = 1_000

/**
 * The terms of an index by their letter trigrams. It finds terms with a similar spelling: inflected forms, compounds,
 * parts of identifiers, typing errors. Terms with digits are excluded, because a different number means a different
 * thing.
 */
export class Vocabulary {
  readonly #postings: Postings
  #table: TermTable | undefined
  /**
   * Number of terms in the lists. The terms of the trigram hash `h` are `#lists[#starts[h]]` to `#lists[#starts[h +
   * 1]]`.
   */
  #listed = 0
  #starts = new Uint32Array(0)
  #lists = new Uint32Array(0)
  /** By term: number of code points, at most 255, and the number of shared trigrams, which is 0 between searches. */
  #lengths = new Uint8Array(0)
  #shared = new Uint8Array(0)

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /**
   * Builds the lists again if there are many new terms, and yields between slices. The next search would otherwise do
   * this.
   */
  *prepareInSlices(): Generator<void> {
    yield* this.#buildLists()
  }

  /** Other terms with a similar spelling that some row contains, the most similar first. */
  similar(word: string): SimilarTerm[] {
    this.#updateLists()
    const grams = gramsOf(word)
    const { terms } = this.#postings
    // A word without trigrams (with digits, or of one letter) has no similar terms.
    if (grams.size === 0) return []
    const found: (SimilarTerm & { term: string })[] = []
    for (const { number, maxSimilarity } of this.#candidates(word, grams)) {
      // Candidates are sorted by their upper bound, so no later one can be more similar.
      if (found.length >= maxSimilarTerms && countAbove(found, maxSimilarity) >= maxSimilarTerms) break
      const { start, end } = this.#postings.viewOf(number)
      if (end === start) continue
      const term = terms.term(number)
      const similarity = diceCoefficient(grams, word, term)
      if (term !== word && similarity >= minSimilarity) found.push({ number, similarity, term })
    }
    return found
      .sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
      .slice(0, maxSimilarTerms)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#starts.byteLength + this.#lists.byteLength + 2 * this.#shared.byteLength
  }

  /**
   * Terms that may be similar enough by their number of shared trigrams, and all terms that are not yet in the lists;
   * the highest upper bound first.
   */
  #candidates(word: string, grams: ReadonlySet<number>): Candidate[] {
    const { terms } = this.#postings
    // The similarity is 2 s / (a + b), with s shared trigrams of a word with a trigrams and a term with b >= s
    // trigrams.
    const needed = (minSimilarity / (2 - minSimilarity)) * grams.size
    const touched: number[] = []
    for (const gram of grams) {
      const hash = hashOf(gram)
      const end = this.#starts[hash + 1] as number
      for (let at = this.#starts[hash] as number; at < end; at++) {
        const number = this.#lists[at] as number
        const before = this.#shared[number] as number
        if (before === 0) touched.push(number)
        if (before < 255) this.#shared[number] = before + 1
      }
    }
    const candidates: Candidate[] = []
    for (const number of touched) {
      const shared = this.#shared[number] as number
      this.#shared[number] = 0
      if (shared < needed) continue
      const maxSimilarity = (2 * shared) / (word.length + (this.#lengths[number] as number))
      if (maxSimilarity >= minSimilarity) candidates.push({ number, maxSimilarity })
    }
    for (let number = this.#listed; number < terms.count; number++)
      candidates.push({ number, maxSimilarity: Number.POSITIVE_INFINITY })
    return candidates.sort((a, b) => b.maxSimilarity - a.maxSimilarity)
  }

  /** Like `prepareInSlices`, without yielding. */
  #updateLists(): void {
    for (const _ of this.#buildLists());
  }

  *#buildLists(): Generator<void> {
    const { terms } = this.#postings
    if (terms === this.#table && terms.count - this.#listed <= maxUnlisted) return
    // Terms that are added between slices are left for the next time.
    const { count } = terms
    const starts = new Uint32Array(2 ** gramBits + 1)
    yield* eachGram(terms, count, (hash) => {
      starts[hash + 1] = (starts[hash + 1] as number) + 1
    })
    for (let gram = 1; gram < starts.length; gram++) {
      starts[gram] = (starts[gram] as number) + (starts[gram - 1] as number)
    }
    const lists = new Uint32Array(starts[starts.length - 1] as number)
    const next = starts.slice()
    yield* eachGram(terms, count, (hash, number) => {
      const at = next[hash] as number
      lists[at] = number
      next[hash] = at + 1
    })
    this.#table = terms
    this.#listed = count
    this.#starts = starts
    this.#lists = lists
    this.#lengths = Uint8Array.from({ length: count }, (_, number) => Math.min(255, terms.lengthOf(number)))
    this.#shared = new Uint8Array(count)
  }
}

function countAbove(found: readonly SimilarTerm[], min: number): number {
  return found.reduce((count, { similarity }) => count + (similarity > min ? 1 : 0), 0)
}

/** The distinct trigrams of a word with a mark at each end; none for a word with digits. */
function gramsOf(word: string): Set<number> {
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
const termsPerSlice = 4096

/** Calls `each` with the hash of each trigram of the first `count` terms; repeated trigrams of a term are repeated. */
function* eachGram(
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

function hashOf(gram: number): number {
  const high = Math.floor(gram / 65_536)
  return (
    Math.imul(Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ (gram % 65_536), 0x9e3779b1) >>> (32 - gramBits)
  )
}

/** Dice coefficient of the trigrams of two words; `grams` are the trigrams of `word`. Repeated trigrams count once. */
function diceCoefficient(grams: ReadonlySet<number>, word: string, term: string): number {
  const marked = `^${term}$`
  const shared: number[] = []
  for (let start = 0; start + 3 <= marked.length; start++) {
    const gram = gramAt(marked, start)
    if (grams.has(gram) && !shared.includes(gram)) shared.push(gram)
  }
  return (2 * shared.length) / (word.length + term.length)
}
