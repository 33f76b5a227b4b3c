import { frequency, idf, type Reading, saturated } from './lexical.ts'
import type { IndexRows } from './rows.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * The voice of character n-grams: BM25F again, where each word of the question stands for all terms that are spelled
 * almost like it, counted by how alike they are. Scores lie in 0..1; rows outside of the mask stay as they are.
 */
export function addSimilarTermScores(
  rows: IndexRows,
  vocabulary: Vocabulary,
  { terms, mask }: Reading,
  scores: Float32Array,
): void {
  const own = new Float32Array(scores.length)
  const frequencies = new Float32Array(scores.length)
  let best = 0
  for (const { term, count } of terms) {
    const holders = gather(rows, vocabulary, term, frequencies)
    const weight = count * idf(rows.count, holders.length)
    best += weight
    for (const row of holders) {
      if (mask[rows.columns.documentOf[row] ?? 0] === 1) {
        own[row] = (own[row] ?? 0) + weight * saturated(frequencies[row] ?? 0)
      }
      frequencies[row] = 0
    }
  }
  for (let row = 0; row < own.length; row++) {
    if (own[row] !== 0) scores[row] = (own[row] ?? 0) / best
  }
}

/** Adds up how often a row holds terms like the word; answers the rows that hold any. */
function gather(rows: IndexRows, vocabulary: Vocabulary, word: string, frequencies: Float32Array): number[] {
  const holders: number[] = []
  for (const { number, similarity } of vocabulary.similar(word)) {
    const { pool, start, end } = rows.postings.viewOf(number)
    for (let entry = start; entry < end; entry++) {
      const row = pool[2 * entry] ?? 0
      if (frequencies[row] === 0) holders.push(row)
      const held = frequency(rows.columns, row, pool[2 * entry + 1] ?? 0)
      frequencies[row] = (frequencies[row] ?? 0) + similarity * held
    }
  }
  return holders
}
