/** With this number of chunks, half of the mean is taken as baseline. */
const chunksForHalf = 5

/**
 * Subtracts the baseline from all cosines, in place, and returns it; lower cosines become 0.
 *
 * The baseline estimates the cosine of unrelated texts, which depends on the embedding model: about .1 for some, above
 * .7 for others. Without subtracting it, vectors of the latter would change the order of the results too little. The
 * estimate is the mean over all chunks. In a small chat, all chunks may be related to the question, so only a part of
 * the mean is used.
 */
export function subtractBaseline(cosines: Float32Array): number {
  let sum = 0
  for (let row = 0; row < cosines.length; row++) sum += cosines[row] as number
  const baseline = sum / (cosines.length + chunksForHalf)
  for (let row = 0; row < cosines.length; row++) {
    cosines[row] = Math.max(0, (cosines[row] as number) - baseline)
  }
  return baseline
}
