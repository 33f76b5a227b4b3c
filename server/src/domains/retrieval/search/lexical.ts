import type { Column, Scratch } from '../wasm/index.ts'
import type { PostingView } from './postings.ts'
import type { IndexRows } from './rows.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A term of the question: how often the question says it, and where it is. */
export interface QueryTerm {
  term: string
  count: number
  postings: PostingView | undefined
}

/** A query as the documents of one language are asked it. */
export interface LocalizedQuery {
  terms: readonly QueryTerm[]
  /** By document number, whether its chunks may answer. */
  accepted: readonly boolean[]
}

/** Above the 1.2 that is usual for one field: several fields add up before they are saturated. */
const k1 = 1.6
/** Shares of a chunk and of the document around it. */
const chunkShare = 0.65
/** The first words of a question that are looked for in other spellings. */
const mostSpelled = 64
/** A word that is in more than this share of the chunks is spelled right, and tells them apart little. */
const mostHolders = 0.1

/**
 * Two rankers in one pass over the postings, both BM25F over chunks with the fields text, heading path and file name
 * (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004): frequencies are
 * weighted and normalised by field length, added up, and saturated once. The lexical ranker counts the words of the
 * question, and adds how well the document around a chunk fits. The ranker of character n-grams counts for each word
 * all terms that are spelled almost like it, by how alike they are. Scores lie in 0..1, where 1 would be a chunk that
 * is full of every word of the question; those of rows that are not accepted are 0. Made for one search.
 */
export class WordScores {
  readonly #scratch: Scratch
  readonly #rows: IndexRows
  readonly #vocabulary: Vocabulary
  readonly #records: Column
  readonly #documentFactors: Column
  readonly #frequencies: Frequencies
  readonly #words: Column
  readonly #spelling: Column
  /** Scores by row of the ranker that judges words. */
  readonly lexical: Column
  /** Scores by row of the ranker that judges spelling, if it is asked. */
  readonly ngram: Column | undefined

  constructor(scratch: Scratch, rows: IndexRows, vocabulary: Vocabulary, asksSpelling: boolean) {
    this.#scratch = scratch
    const { records, documentFactors } = rows.columns
    this.#rows = rows
    this.#vocabulary = vocabulary
    this.#records = scratch.put(records)
    this.#documentFactors = scratch.put(documentFactors)
    this.#frequencies = new Frequencies(scratch, rows.count)
    this.#words = scratch.take(rows.count)
    this.#spelling = scratch.take(rows.count)
    this.lexical = scratch.take(rows.count)
    this.ngram = asksSpelling ? scratch.take(rows.count) : undefined
  }

  /** Adds the scores of the rows that are accepted. */
  add({ terms, accepted }: LocalizedQuery): void {
    const [words, spelling, found] = [this.#words, this.#spelling, this.#frequencies]
    this.#scratch.clear(words)
    this.#scratch.clear(spelling)
    let [bestWords, bestSpelling] = [0, 0]
    for (const [index, { term, count, postings }] of terms.entries()) {
      if (postings) found.add(postings, this.#records, 1)
      const isWidened = index < mostSpelled && found.holders < this.#rows.count * mostHolders
      const alike = this.ngram && isWidened ? this.#vocabulary.similar(term) : []
      bestWords += found.score(count, words)
      for (const { number, similarity } of alike) {
        found.add(this.#rows.postings.viewOf(number), this.#records, similarity)
      }
      if (this.ngram) bestSpelling += found.score(count, spelling)
      found.clear()
    }
    const around = this.#documentScores(terms).map((score, number) =>
      accepted[number] ? (1 - chunkShare) * score : notAccepted,
    )
    this.#addWithDocuments(words, chunkShare / bestWords, around, this.lexical)
    if (this.ngram) {
      const alone = around.map((score) => Math.min(score, 0))
      this.#addWithDocuments(spelling, 1 / bestSpelling, alone, this.ngram)
    }
  }

  /** What says no term of the question is no answer, however well its document fits. */
  #addWithDocuments({ start, end }: Column, factor: number, around: Float32Array, scores: Column): void {
    const documents = this.#scratch.lend(around)
    const { addWithDocuments } = this.#scratch.functions
    addWithDocuments(start, end, factor, this.#records.start, documents.start, scores.start)
  }

  /**
   * BM25 over whole documents, by document number: tells documents apart that look alike when the question names
   * something that stands in another chunk of the document than the answer.
   */
  #documentScores(terms: readonly QueryTerm[]): Float32Array {
    const scratch = this.#scratch
    const total = this.#rows.documents.length
    const found = new Frequencies(scratch, total)
    const scores = scratch.take(total)
    let best = 0
    for (const { count, postings } of terms) {
      if (postings) found.addToDocuments(postings, this.#records, this.#documentFactors)
      best += found.score(count, scores)
      found.clear()
    }
    return scratch.floats(scores).map((score) => (best > 0 ? score / best : 0))
  }
}

/** Stands for the score of a document that may not answer. */
const notAccepted = -1

/** How often rows, or documents, hold what a word stands for. */
class Frequencies {
  readonly #scratch: Scratch
  readonly #total: number
  readonly #frequencies: Column
  /** The rows that hold any, up to `#heldEnd`. */
  readonly #held: Column
  #heldEnd: number

  constructor(scratch: Scratch, total: number) {
    this.#scratch = scratch
    this.#total = total
    this.#frequencies = scratch.take(total)
    // Behind the last one there is room for one that is not kept.
    this.#held = scratch.take(total + 1)
    this.#heldEnd = this.#held.start
  }

  /** How many rows hold any. */
  get holders(): number {
    return (this.#heldEnd - this.#held.start) / 4
  }

  add(postings: PostingView, records: Column, similarity: number): void {
    const { start, end } = this.#lend(postings)
    const { addFrequencies } = this.#scratch.functions
    const byRow = this.#frequencies.start
    this.#heldEnd = addFrequencies(start, end, records.start, similarity, byRow, this.#heldEnd)
  }

  addToDocuments(postings: PostingView, records: Column, factors: Column): void {
    const { start, end } = this.#lend(postings)
    const { addDocumentFrequencies } = this.#scratch.functions
    const byDocument = this.#frequencies.start
    this.#heldEnd = addDocumentFrequencies(
      start,
      end,
      records.start,
      factors.start,
      byDocument,
      this.#heldEnd,
    )
  }

  /** Adds BM25 scores, and returns the weight, which no score exceeds. */
  score(count: number, scores: Column): number {
    const weight = count * idf(this.#total, this.holders)
    const { addSaturated } = this.#scratch.functions
    addSaturated(this.#held.start, this.#heldEnd, this.#frequencies.start, k1, weight, scores.start)
    return weight
  }

  clear(): void {
    this.#scratch.functions.clear(this.#held.start, this.#heldEnd, this.#frequencies.start)
    this.#heldEnd = this.#held.start
  }

  #lend({ pool, start, end }: PostingView): Column {
    return this.#scratch.lend(pool.subarray(2 * start, 2 * end))
  }
}

/** Robertson–Spärck Jones weight as Lucene has it: never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5))
}
