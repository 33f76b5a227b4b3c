import type { Postings } from './postings.ts'

/** A term that looks like a word of the question: Dice coefficient of their letter trigrams, 1 for the word itself. */
export interface SimilarTerm {
  number: number
  similarity: number
}

/** Below this, terms have little more than an ending in common. */
const leastSimilarity = 0.5
const mostSimilar = 50
const gramBytes = 100

/**
 * The terms of an index by the three-letter sequences in them, to find words that are spelled almost alike: other
 * forms, compounds, parts of identifiers, mistakes. Terms with digits are found as they are only: another number is
 * another thing.
 */
export class Vocabulary {
  readonly #postings: Postings
  #generation = -1
  #known = 0
  #byGram = new Map<string, number[]>()
  #gramCounts: number[] = []
  #entries = 0

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** The terms like a word that some row holds, the most similar first. */
  similar(word: string): SimilarTerm[] {
    this.#catchUp()
    const grams = gramsOf(word)
    const found: SimilarTerm[] = []
    for (const [number, shared] of this.#sharing(grams)) {
      const similarity = (2 * shared) / (grams.length + (this.#gramCounts[number] ?? 0))
      const { start, end } = this.#postings.viewOf(number)
      if (similarity >= leastSimilarity && end > start) found.push({ number, similarity })
    }
    const exact = this.#postings.numberOf(word)
    // A word without grams (digits, one letter) is like itself only.
    if (exact !== undefined && grams.length === 0 && this.#postings.view(word)) {
      found.push({ number: exact, similarity: 1 })
    }
    const { terms } = this.#postings
    const byTerm = (a: number, b: number) => ((terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1)
    return found
      .sort((a, b) => b.similarity - a.similarity || byTerm(a.number, b.number))
      .slice(0, mostSimilar)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#byGram.size * gramBytes + (this.#entries + this.#gramCounts.length) * 4
  }

  /** How many of the grams each term has, of those that have any. */
  #sharing(grams: readonly string[]): Map<number, number> {
    const shared = new Map<number, number>()
    for (const gram of grams) {
      for (const number of this.#byGram.get(gram) ?? []) shared.set(number, (shared.get(number) ?? 0) + 1)
    }
    return shared
  }

  /** Takes up terms that have come since the last question. */
  #catchUp(): void {
    if (this.#generation !== this.#postings.generation) {
      this.#byGram = new Map()
      this.#gramCounts = []
      this.#entries = 0
      this.#known = 0
      this.#generation = this.#postings.generation
    }
    const { terms } = this.#postings
    for (; this.#known < terms.length; this.#known++) this.#addTerm(terms[this.#known] ?? '', this.#known)
  }

  #addTerm(term: string, number: number): void {
    const grams = gramsOf(term)
    this.#gramCounts[number] = grams.length
    this.#entries += grams.length
    for (const gram of grams) {
      const list = this.#byGram.get(gram)
      if (list) list.push(number)
      else this.#byGram.set(gram, [number])
    }
  }
}

/** The distinct trigrams of a word with marks at both ends; none of a word with digits. */
function gramsOf(word: string): string[] {
  if (word.length < 2 || /\p{N}/u.test(word)) return []
  const marked = `^${word}$`
  const grams = new Set<string>()
  for (let start = 0; start + 3 <= marked.length; start++) grams.add(marked.slice(start, start + 3))
  return [...grams]
}
