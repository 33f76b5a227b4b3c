/**
 * Intervals of 95 % for the difference of two samples (second minus first). A difference whose interval contains 0 may be
 * noise.
 */

/** The interval of a difference, lowest value first. */
export type Interval = readonly [low: number, high: number]

/** A number of trials, and how many of them succeeded. */
export interface Share {
  successes: number
  trials: number
}

/** A mean with the standard deviation of single values. */
export interface Mean {
  mean: number
  sd: number
  count: number
}

/** The 97.5th percentile of the normal distribution. */
const z = 1.959964

export function isNoise([low, high]: Interval): boolean {
  return low <= 0 && high >= 0
}

/** The score interval of one share: Wilson, J. Am. Stat. Assoc. 22 (1927), 209–212. */
function wilson({ successes, trials }: Share): Interval {
  const share = successes / trials
  const middle = share + z ** 2 / (2 * trials)
  const half = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))
  const scale = 1 + z ** 2 / trials
  return [(middle - half) / scale, (middle + half) / scale]
}

/**
 * The difference of two independent shares: the hybrid score interval, method 10 of Newcombe, Statistics in Medicine 17
 * (1998), 873–890. It also holds for few trials and for shares of 0 and 1.
 */
export function shareDifference(a: Share, b: Share): Interval | undefined {
  if (a.trials === 0 || b.trials === 0) return undefined
  const [shareA, shareB] = [a.successes / a.trials, b.successes / b.trials]
  const [[lowA, highA], [lowB, highB]] = [wilson(a), wilson(b)]
  const difference = shareB - shareA
  return [
    difference - Math.hypot(shareB - lowB, highA - shareA),
    difference + Math.hypot(highB - shareB, shareA - lowA),
  ]
}

/**
 * The difference of two independent means with unequal variances: Welch, Biometrika 34 (1947), 28–35. Undefined for fewer
 * than two values, which have no deviation.
 */
export function meanDifference(a: Mean, b: Mean): Interval | undefined {
  if (a.count < 2 || b.count < 2) return undefined
  const [partA, partB] = [a.sd ** 2 / a.count, b.sd ** 2 / b.count]
  const freedom = (partA + partB) ** 2 / (partA ** 2 / (a.count - 1) + partB ** 2 / (b.count - 1))
  const half = partA + partB === 0 ? 0 : quantileOfT(freedom) * Math.sqrt(partA + partB)
  return around(b.mean - a.mean, half)
}

/** The mean of the differences of pairs: Student, Biometrika 6 (1908), 1–25. Undefined for fewer than two pairs. */
export function pairedDifference(pairs: readonly (readonly [a: number, b: number])[]): Interval | undefined {
  if (pairs.length < 2) return undefined
  const { mean, sd, count } = meanOf(pairs.map(([a, b]) => b - a))
  return around(mean, quantileOfT(count - 1) * (sd / Math.sqrt(count)))
}

/**
 * Whether so many changes to the better and to the worse may be noise: the exact test of McNemar, Psychometrika 12 (1947),
 * 153–157, at 5 %. Only cases with a change count.
 */
export function areChangesNoise(improved: number, regressed: number): boolean {
  const changed = improved + regressed
  let term = 0.5 ** changed
  let tail = 0
  for (let at = 0; at <= Math.min(improved, regressed); at++) {
    tail += term
    term *= (changed - at) / (at + 1)
  }
  return Math.min(1, 2 * tail) >= 0.05
}

/**
 * The difference of a percentile of two samples. The error of each percentile comes from the ranks around it that contain it
 * with 95 % (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2). `sample` stands for `count` values.
 */
export function percentileDifference(
  share: number,
  a: { sample: readonly number[]; count: number },
  b: { sample: readonly number[]; count: number },
): Interval | undefined {
  const [errorA, errorB] = [percentileError(share, a), percentileError(share, b)]
  if (errorA === undefined || errorB === undefined) return undefined
  return around(percentileOf(b.sample, share) - percentileOf(a.sample, share), Math.hypot(errorA, errorB))
}

function percentileError(
  share: number,
  { sample, count }: { sample: readonly number[]; count: number },
): number | undefined {
  const apart = z * Math.sqrt((share * (1 - share)) / count)
  // Beyond the largest value nothing is known.
  if (sample.length < 2 || share - apart < 0 || share + apart > 1) return undefined
  return (percentileOf(sample, share + apart) - percentileOf(sample, share - apart)) / 2
}

/** A percentile by linear interpolation between the closest ranks. */
function percentileOf(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const below = sorted[Math.floor(rank)] ?? 0
  return below + (rank % 1) * ((sorted[Math.ceil(rank)] ?? below) - below)
}

/** `count` is the number of all values if the given ones are a sample of them. */
export function meanOf(values: readonly number[], count = values.length): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, sd: Math.sqrt(squares / Math.max(1, values.length - 1)), count }
}

function around(middle: number, half: number): Interval {
  return [middle - half, middle + half]
}

/**
 * The 97.5th percentile of Student's t. Exact for one and two degrees of freedom; otherwise the expansion 26.7.5 of Abramowitz
 * and Stegun, Handbook of Mathematical Functions, which errs by less than 1 %.
 */
function quantileOfT(freedom: number): number {
  if (freedom < 1.5) return 12.7062
  if (freedom < 2.5) return 4.30265
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  )
}
