import type { PostingView } from './postings.ts'
import type { IndexRows, RowColumns } from './rows.ts'
import { bodyFrequency, headingFrequency, nameFrequency } from './segment.ts'

/** A term of the question: how often the question says it, and where it is. */
export interface QueryTerm {
  term: string
  count: number
  postings: PostingView | undefined
}

/**
 * A question as the documents of one language are asked it. `mask`, by document number, is 1 for those that may
 * answer.
 */
export interface Reading {
  terms: readonly QueryTerm[]
  mask: Uint8Array
}

/** Above the 1.2 that is usual for one field: several fields add up before they are saturated. */
const k1 = 1.6
const headingWeight = 1.5
const nameWeight = 1.5
/** Shares of a chunk and of the document around it. */
const chunkShare = 0.65

/**
 * The lexical voice: how well each chunk, and the document around it, says the terms of the question. Scores lie in
 * 0..1, where 1 would be a chunk that says nothing but these terms; rows outside of the mask stay as they are.
 */
export function addLexicalScores(rows: IndexRows, { terms, mask }: Reading, scores: Float32Array): void {
  const chunk = new Float32Array(scores.length)
  addChunkScores(rows, { terms, mask }, chunk)
  const document = documentScores(rows, { terms, mask })
  const { documentOf } = rows.columns
  for (let row = 0; row < scores.length; row++) {
    const own = at(chunk, row)
    // What says no term of the question is no answer, however well its document fits.
    if (own > 0) scores[row] = chunkShare * own + (1 - chunkShare) * at(document, at(documentOf, row))
  }
}

/**
 * BM25F over chunks, fields text, heading path and file name (Robertson, Zaragoza, Taylor: "Simple BM25 extension
 * to multiple weighted fields", CIKM 2004): frequencies are weighted and normalised by field length, added up, and
 * saturated once. Divided by the score of a chunk that is full of every term of the question.
 */
function addChunkScores(rows: IndexRows, { terms, mask }: Reading, scores: Float32Array): void {
  const { columns, count: total } = rows
  let best = 0
  for (const { count, postings } of terms) {
    const weight = count * idf(total, postings ? postings.end - postings.start : 0)
    best += weight
    if (!postings) continue
    const { pool, start, end } = postings
    for (let entry = start; entry < end; entry++) {
      const row = at(pool, 2 * entry)
      if (mask[at(columns.documentOf, row)] === 0) continue
      scores[row] = at(scores, row) + weight * saturated(frequency(columns, row, at(pool, 2 * entry + 1)))
    }
  }
  divide(scores, best)
}

/** Weighted frequency of a term in a chunk, over all fields, each normalised by its length. */
export function frequency(columns: RowColumns, row: number, payload: number): number {
  const body = bodyFrequency(payload) / at(columns.bodyNorm, row)
  if (payload < 0x1_0000) return body
  const heading = (headingWeight * headingFrequency(payload)) / at(columns.headingNorm, row)
  const name = (nameWeight * nameFrequency(payload)) / at(columns.nameNorm, at(columns.documentOf, row))
  return body + heading + name
}

export function saturated(frequency: number): number {
  return frequency / (k1 + frequency)
}

/**
 * BM25 over whole documents, by document number: tells documents apart that look alike when the question names
 * something that stands in another chunk of the document than the answer.
 */
function documentScores(rows: IndexRows, { terms, mask }: Reading): Float32Array {
  const { documents, columns } = rows
  const scores = new Float32Array(documents.length)
  const frequencies = new Float32Array(documents.length)
  let best = 0
  for (const { count, postings } of terms) {
    const holders = postings ? documentFrequencies(columns, postings, frequencies) : 0
    const weight = count * idf(documents.length, holders)
    best += weight
    if (!postings) continue
    for (let number = 0; number < documents.length; number++) {
      const frequency = at(frequencies, number)
      if (frequency === 0 || mask[number] === 0) continue
      scores[number] = at(scores, number) + weight * saturated(frequency / at(columns.documentNorm, number))
    }
  }
  return divide(scores, best)
}

/** Robertson–Spärck Jones weight as Lucene has it: never negative. */
export function idf(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5))
}

/** Fills in how often a term is in each document, and returns in how many it is. */
function documentFrequencies(
  { documentOf }: RowColumns,
  { pool, start, end }: PostingView,
  frequencies: Float32Array,
): number {
  frequencies.fill(0)
  let holders = 0
  for (let entry = start; entry < end; entry++) {
    const number = at(documentOf, at(pool, 2 * entry))
    const payload = at(pool, 2 * entry + 1)
    if (frequencies[number] === 0) holders++
    frequencies[number] = at(frequencies, number) + bodyFrequency(payload) + nameFrequency(payload)
  }
  return holders
}

function divide(scores: Float32Array, by: number): Float32Array {
  if (by > 0) for (let index = 0; index < scores.length; index++) scores[index] = at(scores, index) / by
  return scores
}

/** An element that is known to be there: the index comes from the data itself. */
function at(array: Float32Array | Uint32Array, index: number): number {
  return array[index] as number
}
