import type { Neighbour } from './store-neighbours.ts'

/** A chunk that was found, by itself or as the neighbour of one that was. */
export interface Scored {
  chunkId: string
  score: number
}

/** What a neighbour gets of its seed's score: along the text, and along a relationship of full confidence. */
const alongText = 0.4
const alongRelationship = 0.6

/**
 * Adds the neighbours of what was found, best first, `limit` in all. A neighbour scores a share of its seed's score, so
 * it comes after its seed; one that was found by itself keeps the better of both. `admits` says which neighbours may
 * be shown.
 */
export function expand(
  seeds: readonly Scored[],
  neighbours: readonly Neighbour[],
  { limit, admits }: { limit: number; admits: (chunkId: string) => boolean },
): Scored[] {
  const own = new Map(seeds.map(({ chunkId, score }) => [chunkId, score]))
  const scores = new Map(own)
  for (const { chunkId, neighbourId, type, confidence } of neighbours) {
    const share = type === 'NEXT' ? alongText : alongRelationship * (confidence ?? 1)
    const score = share * (own.get(chunkId) ?? 0)
    if (score > (scores.get(neighbourId) ?? 0) && admits(neighbourId)) scores.set(neighbourId, score)
  }
  // Sorting is stable: of equal scores, what was found by itself comes first.
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
