import { describe, expect, it } from 'vitest'
import { fitInto } from './fit.ts'

describe('the view of the whole graph', () => {
  it('stays if all labels are inside', () => {
    expect(
      fitInto(
        [
          { x: -100, left: 8, right: 60 },
          { x: 100, left: 8, right: 60 },
        ],
        600,
      ),
    ).toEqual({
      ratio: 1,
      shift: 0,
    })
    expect(fitInto([], 600)).toEqual({ ratio: 1, shift: 0 })
  })

  it('moves, and zooms out only if moving is not enough', () => {
    const right = [
      { x: -200, left: 8, right: 20 },
      { x: 260, left: 8, right: 80 },
    ]
    const moved = fitInto(right, 600)
    expect(moved.ratio).toBe(1)
    expect(moved.shift).toBeLessThan(0)
    const wide = [
      { x: -290, left: 8, right: 20 },
      { x: 290, left: 8, right: 150 },
    ]
    const zoomed = fitInto(wide, 600)
    expect(zoomed.ratio).toBeGreaterThan(1)
    for (const { x, left, right } of wide) {
      expect(x / zoomed.ratio + zoomed.shift - left).toBeGreaterThanOrEqual(-300)
      expect(x / zoomed.ratio + zoomed.shift + right).toBeLessThanOrEqual(300)
    }
  })
})
