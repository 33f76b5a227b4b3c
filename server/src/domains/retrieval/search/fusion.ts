import type { Column, Scratch } from '../wasm/index.ts'

/** The scores of one way of judging chunks, by row, 0 for "does not fit", none below; and how much they count. */
export interface Ranker {
  scores: Column
  share: number
  /** The least score by which this ranker alone makes a chunk worth showing; any, where it is left out. */
  admits?: number
}

/**
 * Weighted sum of rankers, each stretched from 0, its lowest possible score, to its highest one here (Bruch, Gai,
 * Ingber: "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023), times the best score that any ranker gave:
 * so that scores lie in 0..1 (or above by the rounding of 32-bit floats) and stay low when nothing fits well. A row that
 * no ranker admits is 0.
 */
export function fuse(scratch: Scratch, rankers: readonly Ranker[], rows: number): Column {
  const { highestScore, addScores } = scratch.functions
  const active = rankers
    .map(({ scores, share, admits = 0 }) => {
      return { scores, share, admits, best: highestScore(scores.start, scores.end) }
    })
    .filter(({ share, best, admits }) => share > 0 && best > 0 && best >= admits)
    // Those that admit little come last: they add to what the others have admitted.
    .sort((a, b) => a.admits - b.admits)
  const fused = scratch.take(rows)
  const total = active.reduce((sum, { share }) => sum + share, 0)
  const overall = Math.max(0, ...active.map(({ best }) => best))
  for (const { scores, share, admits, best } of active) {
    addScores(scores.start, scores.end, (share / total) * (overall / best), admits, fused.start)
  }
  return fused
}
