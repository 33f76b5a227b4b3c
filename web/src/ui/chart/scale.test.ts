import { describe, expect, it } from 'vitest'
import { cutAbove, durationTicks, largest, lonely, niceEnd, spread, stack } from './scale.ts'

const series = (...rows: (number | null)[][]) =>
  rows.map((values, at) => ({ name: `s${at}`, values, colour: '' }))

describe('scales of charts', () => {
  it('stack the values, and count a gap as 0', () => {
    expect(stack(series([1, null, 3], [2, 5, null]))).toEqual([
      [1, 0, 3],
      [3, 5, 3],
    ])
  })

  it('end at a round number at or above the largest value', () => {
    for (const [most, end] of [
      [0, 1],
      [7, 8],
      [10, 10],
      [11, 15],
      [0.0042, 0.005],
      [0.03, 0.03],
      [981, 1000],
      [1840, 2000],
    ] as const) {
      expect(niceEnd(most), String(most)).toBeCloseTo(end, 12)
    }
    for (let value = 1e-7; value < 1e9; value *= 1.37) {
      expect(niceEnd(value)).toBeGreaterThanOrEqual(value * (1 - 1e-9))
      expect(niceEnd(value)).toBeLessThan(value * 1.6)
    }
  })

  it('are as high as the whole stack, or the highest line', () => {
    const data = { times: [0, 1, 2], end: 3, utcDays: true, series: series([1, null, 3], [2, 5, 4]) }
    expect(largest(data, 'bars')).toBe(7)
    expect(largest(data, 'lines')).toBe(5)
  })

  it('find the values without a neighbour', () => {
    expect(lonely([1, null, 2, 3, null, 4])).toEqual([0, 5])
    expect(lonely([7])).toEqual([0])
    expect(lonely([null, null])).toEqual([])
  })
})

describe('an axis of durations', () => {
  it('has one unit for all labels', () => {
    expect(durationTicks([0, 250, 500])).toEqual(['0 ms', '250 ms', '500 ms'])
    expect(durationTicks([0, 500, 1000, 1500])).toEqual(['0.0 s', '0.5 s', '1.0 s', '1.5 s'])
    expect(durationTicks([0, 50_000, 100_000])).toEqual(['0 s', '50 s', '100 s'])
    expect(durationTicks([0, 60_000, 120_000])).toEqual(['0 min', '1 min', '2 min'])
  })
})

describe('outliers', () => {
  const chart = (values: (number | null)[]) => ({
    times: values.map((_, at) => at),
    end: values.length,
    utcDays: false,
    series: [{ name: 'p99', values, colour: '' }],
  })

  it('are cut off if they would flatten the other values', () => {
    const usual = Array.from({ length: 30 }, (_, at) => 1000 + at)
    expect(cutAbove(chart([...usual, null, 150_000]))).toBeCloseTo(1029 * 1.25)
    expect(cutAbove(chart([...usual, 2500]))).toBe(undefined)
    expect(cutAbove(chart([1, 2, 150_000]))).toBe(undefined)
    expect(cutAbove(chart(usual.map(() => 0)))).toBe(undefined)
  })
})

describe('labels at the ends of lines', () => {
  it('do not overlap, keep their order, and stay inside', () => {
    expect(spread([50, 10, 52], 12, 100)).toEqual([50, 10, 62])
    expect(spread([98, 99, 100], 12, 100)).toEqual([76, 88, 100])
    expect(spread([20, 60], 12, 100)).toEqual([20, 60])
  })
})
