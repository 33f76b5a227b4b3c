import type { PostingView } from './postings.ts'
import type { IndexRows } from './rows.ts'

/** A question as the voices see it: its terms, how often each occurs, and their postings. */
export interface QueryTerm {
  term: string
  count: number
  postings: PostingView | undefined
}

/**
 * One way of judging how well chunks fit a question.
 *
 * Scores by row lie in 0..1, where 1 is the best that any chunk could get and 0 means "does not fit"; rows that
 * `mask` (by document number) leaves out stay 0.
 */
export type Voice = (rows: IndexRows, query: readonly QueryTerm[], mask: Uint8Array) => Float32Array

/** Above the 1.2 that is usual for one field: several fields add up before they are saturated. */
const k1 = 1.6
const b = 0.75
const headingWeight = 1.5
const nameWeight = 1.5

/**
 * BM25F over chunks, fields text, heading path and file name (Robertson, Zaragoza, Taylor: "Simple BM25 extension
 * to multiple weighted fields", CIKM 2004): frequencies are weighted and normalised by field length, added up, and
 * saturated once. Divided by the score of a chunk that is full of every term of the question.
 */
export const chunkVoice: Voice = (rows, query, mask) => {
  const scores = new Float32Array(rows.chunks.length)
  const { documentOf } = rows.columns
  const norms = fieldNorms(rows)
  let best = 0
  for (const { count, postings } of query) {
    const weight = count * idf(rows.chunks.length, postings ? postings.end - postings.start : 0)
    best += weight
    if (!postings) continue
    const { pool } = postings
    for (let entry = postings.start; entry < postings.end; entry++) {
      const row = at(pool, 2 * entry)
      const document = at(documentOf, row)
      if (mask[document] === 0) continue
      const packed = at(pool, 2 * entry + 1)
      const body = (packed & 0xffff) / at(norms.body, row)
      const heading = (headingWeight * ((packed >>> 16) & 0xff)) / at(norms.heading, row)
      const name = (nameWeight * (packed >>> 24)) / at(norms.name, document)
      const frequency = body + heading + name
      scores[row] = at(scores, row) + (weight * frequency) / (k1 + frequency)
    }
  }
  return divide(scores, best)
}

/**
 * BM25 over whole documents, given to each of their chunks: tells documents apart that look alike when the question
 * names something that stands in another chunk of the document than the answer.
 */
export const documentVoice: Voice = (rows, query, mask) => {
  const { documents } = rows
  const scores = new Float32Array(documents.length)
  const mean = rows.bodyTerms / documents.length || 1
  const frequencies = new Float32Array(documents.length)
  let best = 0
  for (const { count, postings } of query) {
    const holders = postings ? documentFrequencies(rows, postings, frequencies) : 0
    const weight = count * idf(documents.length, holders)
    best += weight
    if (!postings) continue
    for (let number = 0; number < documents.length; number++) {
      const frequency = at(frequencies, number)
      if (frequency === 0 || mask[number] === 0) continue
      const normed = frequency / norm(documents[number]?.bodyLength ?? 0, mean)
      scores[number] = at(scores, number) + (weight * normed) / (k1 + normed)
    }
  }
  return spread(rows, divide(scores, best))
}

/** Robertson–Spärck Jones weight as Lucene has it: never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5))
}

function norm(length: number, mean: number): number {
  return 1 - b + (b * length) / mean
}

/** Length norms of the text and the heading path by row, and of the file name by document. */
function fieldNorms(rows: IndexRows): { body: Float32Array; heading: Float32Array; name: Float32Array } {
  const { bodyLength, headingLength } = rows.columns
  const nameLength = Float32Array.from(rows.documents, (document) => document.nameLength)
  return {
    body: normsOf(bodyLength, rows.bodyTerms / rows.chunks.length),
    heading: normsOf(headingLength, rows.headingTerms / rows.chunks.length),
    name: normsOf(nameLength, rows.nameTerms / rows.documents.length),
  }
}

function normsOf(lengths: Float32Array, mean: number): Float32Array {
  const norms = new Float32Array(lengths.length)
  for (let index = 0; index < lengths.length; index++) norms[index] = norm(at(lengths, index), mean || 1)
  return norms
}

/** Fills in how often a term is in each document, and returns in how many it is. */
function documentFrequencies(
  rows: IndexRows,
  { pool, start, end }: PostingView,
  frequencies: Float32Array,
): number {
  const { documentOf } = rows.columns
  frequencies.fill(0)
  let holders = 0
  for (let entry = start; entry < end; entry++) {
    const number = at(documentOf, at(pool, 2 * entry))
    const packed = at(pool, 2 * entry + 1)
    if (frequencies[number] === 0) holders++
    frequencies[number] = at(frequencies, number) + (packed & 0xffff) + (packed >>> 24)
  }
  return holders
}

/** Gives every row the score of its document. */
function spread(rows: IndexRows, byDocument: Float32Array): Float32Array {
  const { documentOf } = rows.columns
  const scores = new Float32Array(documentOf.length)
  for (let row = 0; row < scores.length; row++) scores[row] = at(byDocument, at(documentOf, row))
  return scores
}

function divide(scores: Float32Array, by: number): Float32Array {
  if (by > 0) for (let index = 0; index < scores.length; index++) scores[index] = at(scores, index) / by
  return scores
}

/** An element that is known to be there: the index comes from the data itself. */
function at(array: Float32Array | Uint32Array, index: number): number {
  return array[index] as number
}
