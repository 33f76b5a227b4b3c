import type { TermTable } from '../segments/index.ts'
import type { Postings } from './postings.ts'

/** A term that looks like a word of the question: Dice coefficient of their letter trigrams. */
export interface SimilarTerm {
  number: number
  similarity: number
}

/** A term that is at `most` so similar: letters may share a hash, and be counted twice. */
interface Candidate {
  number: number
  most: number
}

/** Below this, terms have little more than an ending in common. */
const leastSimilarity = 0.5
const mostSimilar = 15
/** Trigrams are told apart by so many bits of their hash; terms are compared letter by letter in the end. */
const gramBits = 16
/** Terms that have come since the lists were made are compared one by one, up to so many. */
const mostUnlisted = 1_000

/**
 * The terms of an index by the three-letter sequences in them, to find words that are spelled almost alike: other
 * forms, compounds, parts of identifiers, mistakes. Terms with digits are found as they are only: another number is
 * another thing.
 */
export class Vocabulary {
  readonly #postings: Postings
  #table: TermTable | undefined
  /** Terms that are in the lists: those of gram `g` are `#lists[#starts[g]]` to `#lists[#starts[g + 1]]`. */
  #listed = 0
  #starts = new Uint32Array(0)
  #lists = new Uint32Array(0)
  /** By term: code points, 255 for more, and a count that is 0 between searches. */
  #lengths = new Uint8Array(0)
  #shared = new Uint8Array(0)

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** Lists the terms that have come, when they are many, with pauses: the work that the next question would wait for. */
  *prepareInSlices(): Generator<void> {
    yield* this.#listing()
  }

  /** Other terms like a word that some row holds, the most similar first. */
  similar(word: string): SimilarTerm[] {
    this.#catchUp()
    const grams = gramsOf(word)
    const { terms } = this.#postings
    // A word without grams (digits, one letter) is like no other.
    if (grams.size === 0) return []
    const found: (SimilarTerm & { term: string })[] = []
    for (const { number, most } of this.#candidates(word, grams)) {
      // The others can be no more alike than this one.
      if (found.length >= mostSimilar && countAbove(found, most) >= mostSimilar) break
      const { start, end } = this.#postings.viewOf(number)
      if (end === start) continue
      const term = terms.term(number)
      const similarity = likeness(grams, word, term)
      if (term !== word && similarity >= leastSimilarity) found.push({ number, similarity, term })
    }
    return found
      .sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
      .slice(0, mostSimilar)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#starts.byteLength + this.#lists.byteLength + 2 * this.#shared.byteLength
  }

  /**
   * Terms that may be similar enough, by the number of grams that they share, those first that may be most alike; and those
   * that are not in the lists yet.
   */
  #candidates(word: string, grams: ReadonlySet<number>): Candidate[] {
    const { terms } = this.#postings
    // 2 s / (a + b) must be enough, and a term has at least the grams that it shares, b >= s.
    const needed = (leastSimilarity / (2 - leastSimilarity)) * grams.size
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
      const most = (2 * shared) / (word.length + (this.#lengths[number] as number))
      if (most >= leastSimilarity) candidates.push({ number, most })
    }
    for (let number = this.#listed; number < terms.count; number++)
      candidates.push({ number, most: Number.POSITIVE_INFINITY })
    return candidates.sort((a, b) => b.most - a.most)
  }

  /** Lists the terms that have come, when they are many. */
  #catchUp(): void {
    for (const _ of this.#listing());
  }

  *#listing(): Generator<void> {
    const { terms } = this.#postings
    if (terms === this.#table && terms.count - this.#listed <= mostUnlisted) return
    // Terms may come during a pause; those stay for the next time.
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

function countAbove(found: readonly SimilarTerm[], least: number): number {
  return found.reduce((count, { similarity }) => count + (similarity > least ? 1 : 0), 0)
}

/** The distinct trigrams of a word with marks at both ends; none of a word with digits. */
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

/** Terms that are listed between two pauses: a millisecond or two. */
const termsAtOnce = 4096

/** Calls back for each gram of the first terms, with its hash; for one that a term has twice, twice. */
function* eachGram(
  terms: TermTable,
  count: number,
  each: (hash: number, number: number) => void,
): Generator<void> {
  for (let number = 0; number < count; number++) {
    if (number % termsAtOnce === termsAtOnce - 1) yield
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

/** Dice coefficient of two words' trigrams; `grams` are those of the first. One that a word has twice counts once. */
function likeness(grams: ReadonlySet<number>, word: string, term: string): number {
  const marked = `^${term}$`
  const shared: number[] = []
  for (let start = 0; start + 3 <= marked.length; start++) {
    const gram = gramAt(marked, start)
    if (grams.has(gram) && !shared.includes(gram)) shared.push(gram)
  }
  return (2 * shared.length) / (word.length + term.length)
}
