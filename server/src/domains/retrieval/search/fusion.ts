import type { Column, Scratch } from '../wasm/index.ts'

/** The scores of one ranker by row, and its weight. Scores are not negative; 0 means no match. */
export interface Ranker {
  scores: Column
  weight: number
  /** Minimum score with which this ranker alone makes a row a hit; by default any score above 0. */
  minScore?: number
  /** The number that was subtracted from all scores, because unrelated texts reach it; 0 by default. */
  baseline?: number
}

/**
 * Weighted sum of rankers. The scores of each ranker are scaled from 0, the score of an unrelated row, to its
 * highest score of this search (Bruch, Gai, Ingber: "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). The
 * sum is multiplied with the highest score of all rankers. So scores are in 0..1 (apart from rounding of 32-bit
 * floats), and stay low if no row matches well. A row that no ranker makes a hit has the score 0.
 */
export function fuse(scratch: Scratch, rankers: readonly Ranker[], rows: number): Column {
  const { highestScore, addScores } = scratch.functions
  const active = rankers
    .map(({ scores, weight, minScore = 0, baseline = 0 }) => {
      return { scores, weight, minScore, baseline, best: highestScore(scores.start, scores.end) }
    })
    .filter(({ weight, best, minScore }) => weight > 0 && best > 0 && best >= minScore)
    // `addScores` adds any score to rows that are already hits, so rankers with a high minimum come last.
    .sort((a, b) => a.minScore - b.minScore)
  const fused = scratch.allocate(rows)
  const total = active.reduce((sum, { weight }) => sum + weight, 0)
  const overall = Math.max(0, ...active.map(({ best, baseline }) => baseline + best))
  for (const { scores, weight, minScore, best } of active) {
    addScores(scores.start, scores.end, (weight / total) * (overall / best), minScore, fused.start)
  }
  return fused
}
