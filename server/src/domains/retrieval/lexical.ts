import type { PostingView } from './postings.ts'
import type { IndexRows, RowColumns } from './rows.ts'
import { bodyFrequency, headingFrequency, nameFrequency } from './segment.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A term of the question: how often the question says it, and where it is. */
export interface QueryTerm {
  term: string
  count: number
  postings: PostingView | undefined
}

/**
 * A question as the documents of one language are asked it. `accepted`, by row, is 1 for chunks that may answer;
 * without it all may.
 */
export interface Reading {
  terms: readonly QueryTerm[]
  accepted: Uint8Array | undefined
}

/** Scores of the two voices that judge words, by row. */
export interface WordScores {
  lexical: Float32Array
  /** Undefined when that voice is not asked. */
  ngram: Float32Array | undefined
}

/** Above the 1.2 that is usual for one field: several fields add up before they are saturated. */
const k1 = 1.6
const headingWeight = 1.5
const nameWeight = 1.5
/** Shares of a chunk and of the document around it. */
const chunkShare = 0.65
/** The first words of a question that are looked for in other spellings. */
const mostSpelled = 64
/** A word that is in more than this share of the chunks is spelled right, and tells them apart little. */
const mostHolders = 0.1

/**
 * Two voices in one pass over the postings, both BM25F over chunks with the fields text, heading path and file name
 * (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004): frequencies are
 * weighted and normalised by field length, added up, and saturated once. The lexical voice counts the words of the
 * question, and adds how well the document around a chunk fits. The voice of character n-grams counts for each word
 * all terms that are spelled almost like it, by how alike they are. Scores lie in 0..1, where 1 would be a chunk that
 * is full of every word of the question; rows that are not accepted stay as they are.
 */
export function addWordScores(
  rows: IndexRows,
  vocabulary: Vocabulary,
  { terms, accepted }: Reading,
  scores: WordScores,
): void {
  const byWords = new Float32Array(rows.count)
  const bySpelling = scores.ngram && new Float32Array(rows.count)
  const found = new Frequencies(rows)
  let [bestWords, bestSpelling] = [0, 0]
  for (const [index, { term, count, postings }] of terms.entries()) {
    if (postings) found.add(postings, 1)
    const isWidened = index < mostSpelled && found.count < rows.count * mostHolders
    const alike = bySpelling && isWidened ? vocabulary.similar(term) : []
    // Without another spelling both voices judge alike.
    const weight = found.score(count, accepted, byWords, alike.length > 0 ? undefined : bySpelling)
    bestWords += weight
    for (const { number, similarity } of alike) found.add(rows.postings.viewOf(number), similarity)
    bestSpelling += alike.length > 0 && bySpelling ? found.score(count, accepted, bySpelling) : weight
    found.clear()
  }
  addWithDocuments(rows, terms, byWords, bestWords, scores.lexical)
  if (bySpelling && scores.ngram) addDivided(bySpelling, bestSpelling, scores.ngram)
}

/** How often rows hold what a word stands for. */
class Frequencies {
  readonly #columns: RowColumns
  readonly #byRow: Float32Array
  /** The first `count` of these are the rows that hold any. */
  readonly #held: Uint32Array
  /** How many rows hold any. */
  count = 0

  constructor(rows: IndexRows) {
    this.#columns = rows.columns
    this.#byRow = new Float32Array(rows.count)
    this.#held = new Uint32Array(rows.count)
  }

  add({ pool, start, end }: PostingView, similarity: number): void {
    const [byRow, held, columns] = [this.#byRow, this.#held, this.#columns]
    const { bodyFactor } = columns
    let count = this.count
    for (let entry = 2 * start; entry < 2 * end; entry += 2) {
      const row = intAt(pool, entry)
      const payload = intAt(pool, entry + 1)
      const before = floatAt(byRow, row)
      if (before === 0) held[count++] = row
      let frequency = bodyFrequency(payload) * floatAt(bodyFactor, row)
      if (payload > 0xffff) frequency += otherFrequency(columns, row, payload)
      byRow[row] = before + similarity * frequency
    }
    this.count = count
  }

  /** Adds BM25 scores to the rows that are accepted, and returns the weight, which no score exceeds. */
  score(
    count: number,
    accepted: Uint8Array | undefined,
    scores: Float32Array,
    others?: Float32Array,
  ): number {
    const [byRow, held, holders] = [this.#byRow, this.#held, this.count]
    const weight = count * idf(byRow.length, holders)
    for (let index = 0; index < holders; index++) {
      const row = intAt(held, index)
      if (accepted && accepted[row] === 0) continue
      const score = weight * saturated(floatAt(byRow, row))
      scores[row] = floatAt(scores, row) + score
      if (others) others[row] = floatAt(others, row) + score
    }
    return weight
  }

  clear(): void {
    for (let index = 0; index < this.count; index++) this.#byRow[intAt(this.#held, index)] = 0
    this.count = 0
  }
}

/** Weighted frequency of a term in heading path and file name, each normalised by its length. */
function otherFrequency(columns: RowColumns, row: number, payload: number): number {
  const heading = (headingWeight * headingFrequency(payload)) / floatAt(columns.headingNorm, row)
  return (
    heading +
    (nameWeight * nameFrequency(payload)) / floatAt(columns.nameNorm, intAt(columns.documentOf, row))
  )
}

function saturated(frequency: number): number {
  return frequency / (k1 + frequency)
}

/** Robertson–Spärck Jones weight as Lucene has it: never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5))
}

function addWithDocuments(
  rows: IndexRows,
  terms: readonly QueryTerm[],
  chunks: Float32Array,
  best: number,
  scores: Float32Array,
): void {
  const documents = documentScores(rows, terms)
  const factor = chunkShare / best
  for (const { number, from, to } of rows.documents) {
    const around = (1 - chunkShare) * floatAt(documents, number)
    if (around === 0) continue
    for (let row = from; row < to; row++) {
      const own = floatAt(chunks, row)
      // What says no term of the question is no answer, however well its document fits.
      if (own !== 0) scores[row] = factor * own + around
    }
  }
}

function addDivided(from: Float32Array, by: number, scores: Float32Array): void {
  for (let row = 0; row < from.length; row++) if (from[row] !== 0) scores[row] = floatAt(from, row) / by
}

/**
 * BM25 over whole documents, by document number: tells documents apart that look alike when the question names
 * something that stands in another chunk of the document than the answer.
 */
function documentScores(rows: IndexRows, terms: readonly QueryTerm[]): Float32Array {
  const { documents, columns } = rows
  const scores = new Float32Array(documents.length)
  const numbers = new Uint32Array(documents.length)
  const frequencies = new Uint32Array(documents.length)
  let best = 0
  for (const { count, postings } of terms) {
    const holders = postings ? documentFrequencies(columns, postings, numbers, frequencies) : 0
    const weight = count * idf(documents.length, holders)
    best += weight
    for (let index = 0; index < holders; index++) {
      const number = intAt(numbers, index)
      const frequency = intAt(frequencies, index) / floatAt(columns.documentNorm, number)
      scores[number] = floatAt(scores, number) + weight * saturated(frequency)
    }
  }
  if (best > 0)
    for (let number = 0; number < scores.length; number++) scores[number] = floatAt(scores, number) / best
  return scores
}

/** Fills in which documents hold a term and how often, and returns how many these are. */
function documentFrequencies(
  { documentOf }: RowColumns,
  { pool, start, end }: PostingView,
  numbers: Uint32Array,
  frequencies: Uint32Array,
): number {
  let holders = 0
  let last = -1
  // Rows ascend, and those of a document lie behind one another.
  for (let entry = 2 * start; entry < 2 * end; entry += 2) {
    const number = intAt(documentOf, intAt(pool, entry))
    const payload = intAt(pool, entry + 1)
    if (number !== last) {
      numbers[holders] = number
      frequencies[holders++] = 0
      last = number
    }
    frequencies[holders - 1] =
      intAt(frequencies, holders - 1) + bodyFrequency(payload) + nameFrequency(payload)
  }
  return holders
}

/**
 * An element that is known to be there: the index comes from the data itself. One function for each type of array, since
 * one for both is compiled to ask at each element which it is.
 */
function floatAt(array: Float32Array, index: number): number {
  return array[index] as number
}

function intAt(array: Uint32Array, index: number): number {
  return array[index] as number
}
