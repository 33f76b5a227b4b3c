import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cover, type Span } from './cover.ts'
import { dayMs, hourMs, minuteMs } from './sums.ts'

const moment = fc.oneof(
  fc.integer({ min: -3 * dayMs, max: 3 * dayMs }),
  fc.integer({ min: -5000, max: 5000 }).map((minutes) => minutes * minuteMs),
  fc.integer({ min: -72, max: 72 }).map((hours) => hours * hourMs),
  fc.integer({ min: -72, max: 72 }).map((hours) => hours * hourMs - 1),
)
const span = fc.tuple(moment, moment).map(([a, b]): Span => ({ from: Math.min(a, b), to: Math.max(a, b) }))

/** The parts cover the span without gap or overlap. */
function expectPartition(parts: readonly Span[], { from, to }: Span): void {
  let at = from
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    expect(part.from).toBe(at)
    expect(part.to).toBeGreaterThan(part.from)
    at = part.to
  }
  expect(at).toBe(to)
}

describe('a period', () => {
  it('is split into whole rollup buckets and two short ends, without gap or overlap', () => {
    fc.assert(
      fc.property(span, fc.constantFrom(dayMs, hourMs, minuteMs), (period, widest) => {
        const { segments, edges } = cover(period, widest)
        expectPartition([...segments, ...edges], period)
        expect(edges.length).toBeLessThanOrEqual(2)
        // Without a whole minute, the stretch is one edge of parts of two minutes.
        const longest = segments.length > 0 ? minuteMs : 2 * minuteMs
        for (const { from, to } of edges) expect(to - from).toBeLessThan(longest)
        for (const { from, to, widthMs } of segments) {
          expect(widthMs).toBeLessThanOrEqual(widest)
          expect(Math.abs(from % widthMs) + Math.abs(to % widthMs)).toBe(0)
        }
        // The number of buckets is minimal: no narrower buckets where a wider one fits.
        for (const { from, to, widthMs } of segments) {
          if (widthMs < widest) expect((to - from) / widthMs).toBeLessThan(widthMs === minuteMs ? 120 : 48)
        }
      }),
      { numRuns: 500 },
    )
  })
})
