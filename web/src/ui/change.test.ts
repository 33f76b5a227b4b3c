import { describe, expect, it } from 'vitest'
import { assess, differenceOf } from './change.tsx'

describe('changes', () => {
  it.each([
    [100, 112, 'up', 0.12],
    [100, 50, 'down', 0.5],
    [100, 100.01, 'same', 0],
    [0, 0, 'same', 0],
    [0, 3, 'up', null],
    [4, 0, 'down', 1],
  ] as const)('from %d to %d', (before, now, direction, share) => {
    const difference = differenceOf(before, now)
    expect(difference?.direction).toBe(direction)
    if (share === null) expect(difference?.share).toBeNull()
    else expect(difference?.share).toBeCloseTo(share, 12)
  })

  it('are unknown if one of the numbers is unknown', () => {
    expect(differenceOf(undefined, 1)).toBeUndefined()
    expect(differenceOf(1, null)).toBeUndefined()
  })

  it('are better or worse depending on the direction that is good', () => {
    const up = { direction: 'up', share: 0.1 } as const
    expect(assess(up, 'more')).toBe('better')
    expect(assess(up, 'less')).toBe('worse')
    expect(assess(up, 'neither')).toBeUndefined()
    expect(assess({ direction: 'up', share: 0.01 }, 'more')).toBeUndefined()
    expect(assess({ direction: 'up', share: null }, 'less')).toBe('worse')
    expect(assess({ direction: 'same', share: 0 }, 'less')).toBeUndefined()
    expect(assess(up, 'less', true)).toBe('noise')
    expect(assess(up, 'neither', true)).toBeUndefined()
  })
})
