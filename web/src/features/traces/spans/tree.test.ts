import { describe, expect, it } from 'vitest'
import { buildTree, isFailed, type TraceSpan, visibleNodes } from './tree.ts'

function span(id: string, parent: string | null, start: number | null, end: number | null): TraceSpan {
  const times = { start_ms: start, end_ms: end }
  return { name: id, attributes: {}, ...times, span_id: id, ...(parent && { parent_id: parent }) }
}
const shown = (spans: TraceSpan[]) =>
  buildTree(spans).nodes.map(({ span: { name }, depth }) => ' '.repeat(depth) + name)

describe('the tree of spans', () => {
  it('puts children below their parents, in the order of their starts', () => {
    expect(
      shown([
        span('c', 'b', 30, 40),
        span('b', 'a', 20, 50),
        span('d', 'a', 10, 20),
        span('a', null, 0, 100),
        span('e', null, 5, 6),
      ]),
    ).toEqual(['a', ' d', ' b', '  c', 'e'])
  })

  it('loses no span: with a missing parent, in a cycle, without ids and without times', () => {
    expect(
      shown([span('a', 'gone', 5, 6), span('b', 'c', 1, 2), span('c', 'b', 0, 3), span('d', 'd', 7, 8)]),
    ).toEqual(['b', ' c', 'a', 'd'])
    const bare = { attributes: {}, start_ms: null, end_ms: null }
    expect(
      shown([
        { ...bare, name: 'x' },
        { ...bare, name: 'y' },
      ]),
    ).toEqual(['x', 'y'])
  })

  it('computes the self time of spans', () => {
    const { nodes, totalMs } = buildTree([
      span('a', null, 1000, 1100),
      span('b', 'a', 1010, 1030),
      span('c', 'a', 1020, 1050),
      span('d', 'a', 1090, 1200),
    ])
    expect(totalMs).toBe(200)
    expect(nodes[0]?.self).toEqual([
      [0, 10],
      [50, 90],
    ])
    expect(nodes.map(({ selfMs }) => selfMs)).toEqual([50, 20, 30, 110])
  })

  it('hides the descendants of a collapsed span', () => {
    const tree = buildTree([
      span('a', null, 0, 9),
      span('b', 'a', 1, 8),
      span('c', 'b', 2, 7),
      span('d', null, 3, 4),
    ])
    const names = (collapsed: number[]) =>
      visibleNodes(tree, new Set(collapsed)).map(({ span: { name } }) => name)
    expect(names([])).toEqual(['a', 'b', 'c', 'd'])
    expect(names([1])).toEqual(['a', 'b', 'd'])
    expect(names([0, 1])).toEqual(['a', 'd'])
  })

  it('handles a chain of thousands of spans', () => {
    const chain = Array.from({ length: 5000 }, (_, at) =>
      span(`${at}`, at > 0 ? `${at - 1}` : null, at, 10_000),
    )
    expect(buildTree(chain).nodes.at(-1)?.depth).toBe(4999)
  })

  it('recognizes failed spans', () => {
    const one = span('a', null, 0, 1)
    expect(
      [one, { ...one, status: 'ok' }, { ...one, status: 'ERROR' }, { ...one, error: 'x' }].map(isFailed),
    ).toEqual([false, false, true, true])
  })
})
