import { describe, expect, it } from 'vitest'
import { drawnLanes, lanesOf } from './lanes.ts'
import { buildTree, type TraceSpan } from './tree.ts'

function span(id: string, parent: string | null, start: number | null, end: number | null): TraceSpan {
  const times = { start_ms: start, end_ms: end }
  return { name: id, attributes: {}, ...times, span_id: id, ...(parent && { parent_id: parent }) }
}
const placed = (spans: TraceSpan[]) =>
  Object.fromEntries(lanesOf(buildTree(spans)).map(({ node, lane }) => [node.span.name, lane]))

describe('the lanes of the timeline', () => {
  it('are below the parent, and spans of the same time are beside each other', () => {
    expect(
      placed([
        span('a', null, 0, 100),
        span('b', 'a', 0, 50),
        span('c', 'a', 20, 70),
        span('d', 'a', 60, 90),
        span('e', 'c', 30, 40),
        // It starts after its parent has ended.
        span('late', 'b', 200, 210),
        span('none', 'a', null, null),
      ]),
    ).toEqual({ a: 0, b: 1, c: 2, d: 1, e: 3, late: 2 })
  })

  it('never show two spans in one place', () => {
    let state = 7
    const random = (below: number) => {
      state = (state * 48271) % 2147483647
      return state % below
    }
    const spans = Array.from({ length: 300 }, (_, at) => {
      const start = random(1000)
      return span(`${at}`, at > 0 ? `${random(at)}` : null, start, start + random(100))
    })
    const lanes = lanesOf(buildTree(spans))
    expect(lanes).toHaveLength(300)
    for (const [at, one] of lanes.entries()) {
      for (const other of lanes.slice(at + 1)) {
        if (one.lane === other.lane)
          expect(one.to <= other.from || other.to <= one.from || one.from === one.to).toBe(true)
      }
    }
  })

  it('draw a bounded number of 20,000 spans, with the selected one', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => span(`${at}`, null, at, at + 1))
    const lanes = lanesOf(buildTree(many))
    const drawn = drawnLanes(lanes, 20_000 / 800, 12_345)
    expect(drawn.length).toBeLessThan(1000)
    expect(drawn.some(({ node }) => node.at === 12_345)).toBe(true)
  })
})
