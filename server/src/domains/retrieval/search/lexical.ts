import type { Column, Scratch } from '../wasm/index.ts'
import type { PostingView } from './postings.ts'
import type { IndexRows } from './rows.ts'
import { newSpellingWork, type Vocabulary } from './vocabulary.ts'

/** A term of the question, how often it occurs in the question, and its postings, if the index contains it. */
export interface QueryTerm {
  term: string
  count: number
  postings: PostingView | undefined
}

/** A query for the documents of one language. */
export interface LocalizedQuery {
  terms: readonly QueryTerm[]
  /** By document number, whether the filter accepts the document and it has this language. */
  accepted: readonly boolean[]
}

/** Above the usual 1.2 for one field, because the frequencies of several fields are summed before saturation. */
const k1 = 1.6
/** Weight of the chunk's own score; the rest is the weight of its document's score. */
const chunkWeight = 0.65
/** Number of terms of a question for which similar spellings are searched. */
const maxSpellingTerms = 64
/**
 * A term in more than this fraction of the chunks is probably spelled correctly, so similar spellings are not
 * searched.
 */
const maxSpellingFraction = 0.1

/**
 * Two rankers in one pass over the postings. Both are BM25F over chunks with the fields text, heading path and file
 * name (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004): frequencies are
 * weighted, normalized by field length, summed, and saturated once. The lexical ranker uses the terms of the
 * question, and adds the score of the chunk's document. The n-gram ranker also uses terms with a similar spelling,
 * weighted by their similarity.
 *
 * Scores are in 0..1; a chunk in which all terms are very frequent would approach 1. Rows that are not accepted have
 * 0. An instance is for one search.
 */
export class WordScores {
  readonly #scratch: Scratch
  readonly #rows: IndexRows
  readonly #vocabulary: Vocabulary
  readonly #spellingWork = newSpellingWork()
  readonly #records: Column
  readonly #documentFactors: Column
  readonly #frequencies: Frequencies
  readonly #words: Column
  readonly #spelling: Column
  /** Scores of the lexical ranker, by row. */
  readonly lexical: Column
  /** Scores of the n-gram ranker, by row, if it is on. */
  readonly ngram: Column | undefined

  constructor(scratch: Scratch, rows: IndexRows, vocabulary: Vocabulary, withNgrams: boolean) {
    this.#scratch = scratch
    const { records, documentFactors } = rows.columns
    this.#rows = rows
    this.#vocabulary = vocabulary
    this.#records = scratch.allocateCopy(records)
    this.#documentFactors = scratch.allocateCopy(documentFactors)
    this.#frequencies = new Frequencies(scratch, rows.count)
    this.#words = scratch.allocate(rows.count)
    this.#spelling = scratch.allocate(rows.count)
    this.lexical = scratch.allocate(rows.count)
    this.ngram = withNgrams ? scratch.allocate(rows.count) : undefined
  }

  /** Adds the scores of the accepted rows. */
  add({ terms, accepted }: LocalizedQuery): void {
    const [words, spelling, found] = [this.#words, this.#spelling, this.#frequencies]
    this.#scratch.clear(words)
    this.#scratch.clear(spelling)
    let [bestWords, bestSpelling] = [0, 0]
    for (const [index, { term, count, postings }] of terms.entries()) {
      if (postings) found.add(postings, this.#records, 1)
      const usesSimilar =
        index < maxSpellingTerms && found.matchCount < this.#rows.count * maxSpellingFraction
      const similarTerms = this.ngram && usesSimilar ? this.#vocabulary.similar(term, this.#spellingWork) : []
      bestWords += found.score(count, words)
      for (const { number, similarity } of similarTerms) {
        found.add(this.#rows.postings.viewOf(number), this.#records, similarity)
      }
      if (this.ngram) bestSpelling += found.score(count, spelling)
      found.clear()
    }
    const around = this.#documentScores(terms).map((score, number) =>
      accepted[number] ? (1 - chunkWeight) * score : notAccepted,
    )
    this.#addWithDocuments(words, chunkWeight / bestWords, around, this.lexical)
    if (this.ngram) {
      const alone = around.map((score) => Math.min(score, 0))
      this.#addWithDocuments(spelling, 1 / bestSpelling, alone, this.ngram)
    }
  }

  /**
   * Adds document scores to row scores. A row without any term of the question stays 0, whatever its document's
   * score.
   */
  #addWithDocuments({ start, end }: Column, factor: number, around: Float32Array, scores: Column): void {
    const documents = this.#scratch.copyTemporarily(around)
    const { addWithDocuments } = this.#scratch.functions
    addWithDocuments(start, end, factor, this.#records.start, documents.start, scores.start)
  }

  /**
   * BM25 over whole documents, by document number, scaled to 0..1. It distinguishes similar documents if the question
   * names something that is in another chunk of the document than the answer.
   */
  #documentScores(terms: readonly QueryTerm[]): Float32Array {
    const scratch = this.#scratch
    const total = this.#rows.documents.length
    const found = new Frequencies(scratch, total)
    const scores = scratch.allocate(total)
    let best = 0
    for (const { count, postings } of terms) {
      if (postings) found.addToDocuments(postings, this.#records, this.#documentFactors)
      best += found.score(count, scores)
      found.clear()
    }
    return scratch.floats(scores).map((score) => (best > 0 ? score / best : 0))
  }
}

/** Score of a document that is not accepted. */
const notAccepted = -1

/** Frequencies of one term of the question (with its similar spellings) by row, or by document. */
class Frequencies {
  readonly #scratch: Scratch
  readonly #total: number
  readonly #frequencies: Column
  /** The rows with a frequency above 0, up to `#matchedEnd`. */
  readonly #matched: Column
  #matchedEnd: number

  constructor(scratch: Scratch, total: number) {
    this.#scratch = scratch
    this.#total = total
    this.#frequencies = scratch.allocate(total)
    // One extra element, because the loops write one element beyond the list.
    this.#matched = scratch.allocate(total + 1)
    this.#matchedEnd = this.#matched.start
  }

  /** Number of rows with a frequency above 0. */
  get matchCount(): number {
    return (this.#matchedEnd - this.#matched.start) / 4
  }

  add(postings: PostingView, records: Column, similarity: number): void {
    const { start, end } = this.#lend(postings)
    const { addFrequencies } = this.#scratch.functions
    const byRow = this.#frequencies.start
    this.#matchedEnd = addFrequencies(start, end, records.start, similarity, byRow, this.#matchedEnd)
  }

  addToDocuments(postings: PostingView, records: Column, factors: Column): void {
    const { start, end } = this.#lend(postings)
    const { addDocumentFrequencies } = this.#scratch.functions
    const byDocument = this.#frequencies.start
    this.#matchedEnd = addDocumentFrequencies(
      start,
      end,
      records.start,
      factors.start,
      byDocument,
      this.#matchedEnd,
    )
  }

  /** Adds the BM25 scores of the term to `scores`; returns its weight, which is the upper bound of each added score. */
  score(count: number, scores: Column): number {
    const weight = count * idf(this.#total, this.matchCount)
    const { addSaturated } = this.#scratch.functions
    addSaturated(this.#matched.start, this.#matchedEnd, this.#frequencies.start, k1, weight, scores.start)
    return weight
  }

  clear(): void {
    this.#scratch.functions.clear(this.#matched.start, this.#matchedEnd, this.#frequencies.start)
    this.#matchedEnd = this.#matched.start
  }

  #lend({ pool, start, end }: PostingView): Column {
    return this.#scratch.copyTemporarily(pool.subarray(2 * start, 2 * end))
  }
}

/** Robertson–Spärck Jones weight in the variant of Lucene, which is never negative. */
function idf(total: number, matchCount: number): number {
  return Math.log(1 + (total - matchCount + 0.5) / (matchCount + 0.5))
}
