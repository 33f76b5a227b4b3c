import { describe, expect, it } from 'vitest'
import { largest, lonely, niceEnd, stack } from './scale.ts'

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
