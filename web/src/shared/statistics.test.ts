import { describe, expect, it } from 'vitest'
import {
  areChangesNoise,
  isNoise,
  meanDifference,
  meanOf,
  pairedDifference,
  percentileDifference,
  shareDifference,
} from './statistics.ts'

describe('the difference of two shares', () => {
  it('has the interval of the examples of Newcombe', () => {
    // Table II, method 10, of the paper: p1 - p2 for 56/70 and 48/80, and for 9/10 and 3/10.
    const first = shareDifference({ successes: 48, trials: 80 }, { successes: 56, trials: 70 })
    expect(first?.map((bound) => bound.toFixed(4))).toEqual(['0.0524', '0.3339'])
    const second = shareDifference({ successes: 3, trials: 10 }, { successes: 9, trials: 10 })
    expect(second?.map((bound) => bound.toFixed(4))).toEqual(['0.1705', '0.8090'])
  })

  it('is noise for one error of eight, and not for a tenth of a thousand', () => {
    const few = shareDifference({ successes: 1, trials: 8 }, { successes: 0, trials: 5 })
    expect(few && isNoise(few)).toBe(true)
    const many = shareDifference({ successes: 0, trials: 1000 }, { successes: 100, trials: 1000 })
    expect(many && isNoise(many)).toBe(false)
    expect(shareDifference({ successes: 0, trials: 0 }, { successes: 1, trials: 1 })).toBe(undefined)
  })
})

describe('the difference of two means', () => {
  it('has the interval of Welch', () => {
    // Means 4 and 13.33, 4.715 degrees of freedom, t = 2.6180 by numeric integration of its density.
    const interval = meanDifference(meanOf([1, 2, 3, 4, 10]), meanOf([11, 12, 17]))
    expect(interval?.[0]).toBeCloseTo(2.95, 1)
    expect(interval?.[1]).toBeCloseTo(15.72, 1)
    expect(meanDifference(meanOf([1]), meanOf([2, 3]))).toBe(undefined)
  })

  it('is certain for values without deviation', () => {
    const interval = meanDifference({ mean: 1, sd: 0, count: 5 }, { mean: 2, sd: 0, count: 5 })
    expect(interval).toEqual([1, 1])
    expect(interval && isNoise(interval)).toBe(false)
  })

  it('of pairs ignores what all pairs share', () => {
    const pairs = [10, 200, 3000, 5, 70].map((a, at) => [a, a + 5 + (at % 2)] as const)
    const interval = pairedDifference(pairs)
    expect(interval && isNoise(interval)).toBe(false)
    expect(interval?.[0]).toBeGreaterThan(4.5)
    expect(interval?.[1]).toBeLessThan(6.5)
  })
})

describe('the difference of two percentiles', () => {
  const steps = (from: number) => Array.from({ length: 200 }, (_, at) => from + at)

  it('is noise for equal samples, and not for samples far apart', () => {
    const same = percentileDifference(
      0.95,
      { sample: steps(0), count: 200 },
      { sample: steps(1), count: 200 },
    )
    expect(same && isNoise(same)).toBe(true)
    const apart = percentileDifference(
      0.5,
      { sample: steps(0), count: 200 },
      { sample: steps(100), count: 200 },
    )
    expect(apart && isNoise(apart)).toBe(false)
  })

  it('is unknown if the sample is too small for the percentile', () => {
    const few = { sample: [1, 2, 3], count: 3 }
    expect(percentileDifference(0.95, few, few)).toBe(undefined)
  })
})

describe('changed cases', () => {
  it('are noise unless one direction clearly prevails', () => {
    // The two-sided binomial test: 5 of 5 has p = 0.0625, 6 of 6 has 0.031, 9 of 10 has 0.021, 8 of 10 has 0.109.
    expect(areChangesNoise(0, 0)).toBe(true)
    expect(areChangesNoise(5, 0)).toBe(true)
    expect(areChangesNoise(6, 0)).toBe(false)
    expect(areChangesNoise(1, 9)).toBe(false)
    expect(areChangesNoise(2, 8)).toBe(true)
  })
})
