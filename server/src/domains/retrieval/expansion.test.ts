import { expect, test } from 'vitest'
import { expand } from './expansion.ts'

const seeds = [
  { chunkId: 'a', score: 0.9 },
  { chunkId: 'b', score: 0.5 },
  { chunkId: 'c', score: 0.1 },
]
const all = { limit: 10, isAllowed: () => true }
const edge = (chunkId: string, neighbourId: string, type = 'NEXT', confidence: number | null = null) => ({
  chunkId,
  neighbourId,
  type,
  confidence,
})

test('a neighbour comes after its seed, whatever their relationship', () => {
  for (const type of ['NEXT', 'EXPLAINS']) {
    const found = expand(seeds, [edge('b', 'x', type, 1)], all).map(({ chunkId }) => chunkId)
    expect(found.indexOf('x')).toBeGreaterThan(found.indexOf('b'))
  }
})

test('a neighbour that is also a seed keeps the higher score', () => {
  const scores = (...edges: ReturnType<typeof edge>[]) =>
    Object.fromEntries(expand(seeds, edges, all).map(({ chunkId, score }) => [chunkId, score]))
  expect(scores(edge('c', 'a'))).toMatchObject({ a: 0.9, c: 0.1 })
  expect(scores(edge('a', 'c')).c).toBeGreaterThan(0.3)
})

test('a neighbour with more confidence ranks higher', () => {
  const found = expand(seeds, [edge('a', 'x', 'SUPPORTS', 0.4), edge('a', 'y', 'SUPPORTS', 0.8)], all)
  const order = found.map(({ chunkId }) => chunkId)
  expect(order.indexOf('y')).toBeLessThan(order.indexOf('x'))
})

test('neighbours that are not allowed are left out, and the limit applies to all chunks', () => {
  const edges = [edge('a', 'x'), edge('a', 'y')]
  const found = expand(seeds, edges, { limit: 3, isAllowed: (chunkId) => chunkId !== 'x' })
  expect(found.map(({ chunkId }) => chunkId)).toEqual(['a', 'b', 'y'])
})
