import { describe, expect, it } from 'vitest'
import { formatAgo, formatDuration } from './format.ts'

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
