import type { EmbeddingModel } from '../../models/embedding.ts'
import type { ScoringService } from '../scorers/index.ts'
import type { Evaluators } from './evaluate.ts'
import type { CheckPool } from './pool.ts'

interface Options {
  checks: CheckPool
  scoring: Pick<ScoringService, 'score' | 'scoreLocally'>
  /** The current embedding model. If undefined, similarity is computed locally. */
  embedding: () => EmbeddingModel | undefined
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, lengthA, lengthB] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    dot += value * other
    lengthA += value * value
    lengthB += other * other
  }
  return dot === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB)
}

async function similarity(model: EmbeddingModel, a: string, b: string, signal: AbortSignal): Promise<number> {
  // Providers reject empty texts.
  if (a.trim() === '' || b.trim() === '') return a.trim() === b.trim() ? 1 : 0
  const [first, second] = await model.embed([a, b], signal)
  const score = first && second ? cosine(first, second) : 0
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000
}

/** The functions that evaluate assertions. `spent` is called with the cost of each scoring (USD, null if unknown). */
export function createEvaluators({ checks, scoring, embedding }: Options) {
  return (projectId: string, spent: (cost: number | null) => void, signal: AbortSignal): Evaluators => ({
    projectId,
    checks,
    async scoreOutput(scorer, { query, output, expectedAnswer }) {
      const request = { scorer_slug: scorer, input: query, output, expected_output: expectedAnswer }
      const { score, reasoning, method, cost } = await scoring.score(projectId, request, signal)
      spent(cost)
      return { score, reasoning, method }
    },
    compare: async (a, b) => {
      const model = embedding()
      if (model) return similarity(model, a, b, signal)
      const texts = { input: undefined, output: b, expected_output: a }
      return (await scoring.scoreLocally(projectId, 'semantic-similarity', texts, signal)).score
    },
  })
}
