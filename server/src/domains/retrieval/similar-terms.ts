import { frequency, idf, type Reading, saturated } from './lexical.ts'
import type { IndexRows } from './rows.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The first words of a question that are looked for in other spellings. */
const mostWords = 64

/** How often rows hold terms like a word, by row; `held` lists the first `count` rows that hold any. */
interface Gathered {
  frequencies: Float32Array
  held: Uint32Array
  count: number
}

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
  const gathered = {
    frequencies: new Float32Array(scores.length),
    held: new Uint32Array(scores.length),
    count: 0,
  }
  const { documentOf } = rows.columns
  let best = 0
  for (const { term, count } of terms.slice(0, mostWords)) {
    gather(rows, vocabulary, term, gathered)
    const weight = count * idf(rows.count, gathered.count)
    best += weight
    for (let at = 0; at < gathered.count; at++) {
      const row = gathered.held[at] as number
      if (mask[documentOf[row] as number] === 1) {
        own[row] = (own[row] as number) + weight * saturated(gathered.frequencies[row] as number)
      }
      gathered.frequencies[row] = 0
    }
    gathered.count = 0
  }
  for (let row = 0; row < own.length; row++) {
    if (own[row] !== 0) scores[row] = (own[row] as number) / best
  }
}

/** Adds up how often each row holds terms like the word. */
function gather(rows: IndexRows, vocabulary: Vocabulary, word: string, gathered: Gathered): void {
  const { frequencies, held } = gathered
  for (const { number, similarity } of vocabulary.similar(word)) {
    const { pool, start, end } = rows.postings.viewOf(number)
    for (let entry = start; entry < end; entry++) {
      const row = pool[2 * entry] as number
      const before = frequencies[row] as number
      if (before === 0) held[gathered.count++] = row
      frequencies[row] = before + similarity * frequency(rows.columns, row, pool[2 * entry + 1] as number)
    }
  }
}
