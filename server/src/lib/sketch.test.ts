import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binOf, leastValue, mergeSketches, type Sketch, SketchSum, toSketch } from './sketch.ts'

function sketchOf(values: readonly number[]): Sketch {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(binOf(value), (counts.get(binOf(value)) ?? 0) + 1)
  return toSketch(counts)
}

function negative(sketch: Sketch): Sketch {
  return sketch.map((part, index) => (index % 2 ? -part : part))
}

/** SQL's percentile_cont. */
function percentileCont(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const lower = sorted[Math.floor(rank)] as number
  return lower + ((sorted[Math.ceil(rank)] as number) - lower) * (rank % 1)
}

const value = fc.oneof(
  fc.constant(0),
  fc.constantFrom(leastValue, leastValue / 2, 1, 1e15),
  fc.double({ min: leastValue, max: 1, noNaN: true }),
  fc.double({ min: 1, max: 1e5, noNaN: true }),
  fc.double({ min: 1e5, max: 1e15, noNaN: true }),
)
const values = fc.array(value, { maxLength: 200 })

describe('a sketch', () => {
  it('merged with another is the sketch of both', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(mergeSketches(sketchOf(a), sketchOf(b))).toEqual(sketchOf([...a, ...b]))
      }),
    )
  })

  it('is unchanged after another sketch was added and subtracted', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const both = mergeSketches(sketchOf(a), sketchOf(b))
        expect(mergeSketches(both, negative(sketchOf(b)))).toEqual(sketchOf(a))
      }),
    )
  })

  it('has its bins in order, each once', () => {
    fc.assert(
      fc.property(values, (all) => {
        const bins = [...sketchOf(all)].filter((_, index) => index % 2 === 0)
        expect(bins).toEqual([...new Set(bins)].sort((a, b) => a - b))
      }),
    )
  })

  it('knows percentiles within 1 %, also of zeros and of the largest amounts', () => {
    const shares = [0, 0.01, 0.5, 0.95, 0.99, 1]
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (all) => {
        const sum = new SketchSum()
        // In two halves, like two rows of a rollup.
        sum.add(sketchOf(all.slice(0, all.length / 2)))
        sum.add(sketchOf(all.slice(all.length / 2)))
        for (const [index, estimate] of sum.percentiles(shares).entries()) {
          const exact = percentileCont(all, shares[index] as number)
          // Values below the smallest bin count as zero.
          expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact * 0.01 * (1 + 1e-9) + leastValue)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('without values has zeros as percentiles, also after all values were subtracted', () => {
    const sum = new SketchSum()
    expect(sum.percentiles([0.5, 0.99])).toEqual([0, 0])
    sum.add(sketchOf([1, 2]))
    sum.add(negative(sketchOf([1, 2])))
    expect(sum.percentiles([0.5, 0.99])).toEqual([0, 0])
  })
})
