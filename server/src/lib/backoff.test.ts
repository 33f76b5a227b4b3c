import { describe, expect, it } from 'vitest'
import { backoffMs, jittered } from './backoff.ts'

describe('the back-off', () => {
  const backoff = { baseMs: 100, maxMs: 5000 }

  it('doubles after each try, up to its limit', () => {
    const waits = [1, 2, 3, 6, 7, 50, 5000].map((attempt) => backoffMs(attempt, backoff, 0.5))
    expect(waits).toEqual([100, 200, 400, 3200, 5000, 5000, 5000])
  })

  it('varies by a tenth in both directions, and never exceeds its limit', () => {
    expect([0, 0.5, 1].map((random) => backoffMs(1, backoff, random))).toEqual([90, 100, 110])
    expect([0, 1].map((random) => jittered(3600_000, random))).toEqual([3240_000, 3960_000])
    const many = Array.from({ length: 200 }, () => backoffMs(6, backoff))
    expect(new Set(many).size).toBeGreaterThan(50)
    expect(Math.max(...many)).toBeLessThanOrEqual(3520)
    expect(Math.min(...many)).toBeGreaterThanOrEqual(2880)
  })
})
