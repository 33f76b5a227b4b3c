import type { TermTable } from '../segments/index.ts'
import type { Postings } from './postings.ts'
import { diceCoefficient, eachGram, gramBits, gramsOf, hashOf, termsPerSlice } from './trigrams.ts'

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

/**
 * The work that is left to one search for similar spellings, in entries of trigram lists. Without a limit, words with
 * the trigrams of hundreds of thousands of terms would block the event loop for seconds.
 */
export interface SpellingWork {
  left: number
}

/** About 20 ms. Questions for ordinary documents need a tenth of it. */
export const newSpellingWork = (): SpellingWork => ({ left: 1_000_000 })

/** Maximum candidates per word whose letters are compared, and the work of a comparison. */
const [maxCompared, comparisonWork] = [500, 50]
/** Less similar terms have little more than a suffix in common. */
const minSimilarity = 0.5
const maxSimilarTerms = 15
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

  /**
   * Other terms with a similar spelling that some row contains, the most similar first. Returns nothing for a word that
   * needs more work than is left.
   */
  similar(word: string, work: SpellingWork): SimilarTerm[] {
    this.#updateLists()
    const grams = gramsOf(word)
    const { terms } = this.#postings
    // A word without trigrams (with digits, or of one letter) has no similar terms.
    if (grams.size === 0 || !this.#afford(grams, work)) return []
    const found: (SimilarTerm & { term: string })[] = []
    for (const { number, maxSimilarity } of this.#candidates(word, grams)) {
      if (work.left < 0) break
      work.left -= comparisonWork
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

  /** Takes the work of finding candidates from `work`; returns false if that is more than what is left. */
  #afford(grams: ReadonlySet<number>, work: SpellingWork): boolean {
    let needed = 0
    for (const gram of grams) {
      const hash = hashOf(gram)
      needed += (this.#starts[hash + 1] as number) - (this.#starts[hash] as number)
    }
    if (needed > work.left) return false
    work.left -= needed
    return true
  }

  /**
   * Terms that may be similar enough by their number of shared trigrams, at most `maxCompared`, and all terms that are
   * not yet in the lists; the highest upper bound first.
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
    const bound = (number: number) => {
      const shared = this.#shared[number] as number
      return shared < needed ? 0 : (2 * shared) / (word.length + (this.#lengths[number] as number))
    }
    const least = highEnough(touched, bound)
    const candidates: Candidate[] = []
    for (const number of touched) {
      const maxSimilarity = bound(number)
      this.#shared[number] = 0
      if (maxSimilarity >= least && candidates.length < maxCompared)
        candidates.push({ number, maxSimilarity })
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
    const lengths = new Uint8Array(count)
    for (let number = 0; number < count; number++) {
      if (number % termsPerSlice === termsPerSlice - 1) yield
      lengths[number] = Math.min(255, terms.lengthOf(number))
    }
    this.#table = terms
    this.#listed = count
    this.#starts = starts
    this.#lists = lists
    this.#lengths = lengths
    this.#shared = new Uint8Array(count)
  }
}

/** The least bound of the candidates to compare, in hundredths. Counting is much faster than sorting all terms. */
function highEnough(touched: readonly number[], bound: (number: number) => number): number {
  const counts = new Uint32Array(101)
  for (const number of touched) {
    const percent = Math.min(100, Math.floor(100 * bound(number)))
    counts[percent] = (counts[percent] as number) + 1
  }
  let [percent, total] = [100, counts[100] as number]
  while (percent > 100 * minSimilarity && total < maxCompared) total += counts[--percent] as number
  return Math.max(minSimilarity, percent / 100)
}

function countAbove(found: readonly SimilarTerm[], min: number): number {
  return found.reduce((count, { similarity }) => count + (similarity > min ? 1 : 0), 0)
}
