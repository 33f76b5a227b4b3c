/** The scores of one way of judging chunks, by row, 0 for "does not fit", none below; and how much they count. */
export interface Voice {
  scores: Float32Array
  share: number
  /** The least score by which this voice alone makes a chunk worth showing; any, where it is left out. */
  admits?: number
}

/**
 * Weighted sum of voices, each stretched from 0, its lowest possible score, to its highest one here (Bruch, Gai,
 * Ingber: "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023), times the best score that any voice gave:
 * so that scores lie in 0..1 (or above by the rounding of 32-bit floats) and stay low when nothing fits well. A row that
 * no voice admits is 0.
 */
export function fuse(voices: readonly Voice[]): Float32Array {
  const speaking = voices
    .map(({ scores, share, admits = 0 }) => ({ scores, share, admits, best: highestOf(scores) }))
    .filter(({ share, best, admits }) => share > 0 && best > 0 && best >= admits)
    // Those that admit little come last: they add to what the others have admitted.
    .sort((a, b) => a.admits - b.admits)
  const fused = new Float32Array(voices[0]?.scores.length ?? 0)
  const total = speaking.reduce((sum, { share }) => sum + share, 0)
  const overall = Math.max(0, ...speaking.map(({ best }) => best))
  for (const { scores, share, admits, best } of speaking) {
    const factor = (share / total) * (overall / best)
    if (admits === 0) addScores(fused, scores, factor)
    else addAdmitted(fused, scores, factor, admits)
  }
  return fused
}

function addScores(fused: Float32Array, scores: Float32Array, factor: number): void {
  for (let row = 0; row < fused.length; row++) {
    fused[row] = (fused[row] as number) + factor * (scores[row] as number)
  }
}

function addAdmitted(fused: Float32Array, scores: Float32Array, factor: number, admits: number): void {
  for (let row = 0; row < fused.length; row++) {
    const [before, score] = [fused[row] as number, scores[row] as number]
    if (before > 0 || score >= admits) fused[row] = before + factor * score
  }
}

function highestOf(scores: Float32Array): number {
  let highest = 0
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number
    if (score > highest) highest = score
  }
  return highest
}

/** Indexes of the `limit` highest scores above 0, those of equal scores in the order of `compare`. */
export function highest(
  scores: Float32Array,
  limit: number,
  compare: (a: number, b: number) => number,
): number[] {
  const best: number[] = []
  // The score that a row must have once there are enough.
  let least = 0
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number
    if (score < least || score === 0) continue
    insert(best, row, limit, scores, compare)
    if (best.length === limit) least = scores[best[limit - 1] as number] as number
  }
  return best
}

/** Puts a row before the first one that it is better than; what is over the limit goes. */
function insert(
  best: number[],
  row: number,
  limit: number,
  scores: Float32Array,
  compare: (a: number, b: number) => number,
): void {
  const score = scores[row] as number
  let [low, high] = [0, best.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = best[middle] as number
    const difference = score - (scores[other] as number)
    if (difference > 0 || (difference === 0 && compare(row, other) < 0)) high = middle
    else low = middle + 1
  }
  if (low === limit) return
  best.splice(low, 0, row)
  if (best.length > limit) best.pop()
}
