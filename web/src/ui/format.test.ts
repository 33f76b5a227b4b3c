import { describe, expect, it } from 'vitest'
import { costSumText, formatAgo, formatCost, formatDuration, unpricedText } from './format.ts'

describe('format', () => {
  it('writes durations', () => {
    expect([0.2, 812.4, 999.4, 1000, 1240].map(formatDuration)).toEqual([
      '< 1 ms',
      '812 ms',
      '999 ms',
      '1.00 s',
      '1.24 s',
    ])
  })

  it('writes a cost without a price as such, and never as zero', () => {
    expect(formatCost(null, true)).toBe('no price')
    expect(formatCost(null, false)).toBe('–')
    expect(formatCost(0, true)).toBe('$0')
    expect(formatCost(0.0042, true)).toBe('$0.0042')
    expect(costSumText(0, 3, 3)).toBe('no price')
    expect(costSumText(0.5, 2, 3)).toBe('$0.50')
    expect(costSumText(0, 0, 0)).toBe('$0')
    expect([unpricedText(0), unpricedText(1), unpricedText(12)]).toEqual([
      undefined,
      '1 trace without a price',
      '12 traces without a price',
    ])
  })

  it('writes the time that has passed', () => {
    expect([-5, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000].map(formatAgo)).toEqual([
      'now',
      'now',
      '1 s ago',
      '59 s ago',
      '1 min ago',
      '59 min ago',
      '1 h ago',
    ])
  })
})
