import type { Neighbour } from './store-neighbours.ts'

/** A chunk with its score; it matched the query, or it is a neighbour of a chunk that did. */
export interface ScoredChunk {
  chunkId: string
  score: number
}

/** Factors of the seed's score for a neighbour: the chunk before or after, and a relationship with confidence 1. */
const nextFactor = 0.4
const relationshipFactor = 0.6

/**
 * Adds the neighbours of the found chunks (seeds), and returns the best `limit` chunks, best first. A neighbour gets a
 * fraction of its seed's score, so it comes after its seed. A neighbour that is also a seed keeps the higher score.
 *
 * @param isAllowed whether a neighbour may be added
 */
export function expand(
  seeds: readonly ScoredChunk[],
  neighbours: readonly Neighbour[],
  { limit, isAllowed }: { limit: number; isAllowed: (chunkId: string) => boolean },
): ScoredChunk[] {
  const seedScores = new Map(seeds.map(({ chunkId, score }) => [chunkId, score]))
  const scores = new Map(seedScores)
  for (const { chunkId, neighbourId, type, confidence } of neighbours) {
    const factor = type === 'NEXT' ? nextFactor : relationshipFactor * (confidence ?? 1)
    const score = factor * (seedScores.get(chunkId) ?? 0)
    if (score > (scores.get(neighbourId) ?? 0) && isAllowed(neighbourId)) scores.set(neighbourId, score)
  }
  // The sort is stable: among equal scores, seeds come first.
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
