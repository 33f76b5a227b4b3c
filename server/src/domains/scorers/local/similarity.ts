import { parse, stemsOf } from './clauses.ts'
import { clamp, type LocalScorer } from './local-scorer.ts'

const wordShare = 0.65

/** Cosine similarity of two bags of terms. */
function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const length = (bag: ReadonlyMap<string, number>) =>
    Math.sqrt([...bag.values()].reduce((sum, n) => sum + n * n, 0))
  const dot = [...a].reduce((sum, [term, count]) => sum + count * (b.get(term) ?? 0), 0)
  return dot === 0 ? 0 : dot / (length(a) * length(b))
}

function bagOf(terms: readonly string[]): Map<string, number> {
  const bag = new Map<string, number>()
  for (const term of terms) bag.set(term, (bag.get(term) ?? 0) + 1)
  return bag
}

/** Trigrams of each word, with blanks around it. Forms of a word share most trigrams. */
function trigramsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.flatMap((word) => {
    const padded = ` ${word} `
    return Array.from({ length: Math.max(1, padded.length - 2) }, (_, at) => padded.slice(at, at + 3))
  })
}

/** Words with synonyms merged. Opposites stay different words. */
function conceptsOf(text: string, other: string): string[] {
  return parse(text, stemsOf(other)).words.map(({ concept, sign }) => `${sign}${concept}`)
}

export const semanticSimilarity: LocalScorer = {
  description: 'similarity of output and expected output in words (synonyms count as equal) and in spelling',
  needs: ['expected_output'],
  score({ output, expected_output: expected = '' }) {
    const [a, b] = [conceptsOf(expected, output), conceptsOf(output, expected)]
    const spelling = cosine(bagOf(trigramsOf(expected)), bagOf(trigramsOf(output)))
    // Numbers and very short texts have no words to compare.
    const words = a.length === 0 || b.length === 0 ? spelling : cosine(bagOf(a), bagOf(b))
    return {
      score: expected.trim() === output.trim() ? 1 : clamp(wordShare * words + (1 - wordShare) * spelling),
      reasoning: `similarity of words ${words.toFixed(2)}, of spelling ${spelling.toFixed(2)}`,
    }
  },
}
