import { expect, it } from 'vitest'
import { find, modelOf, neighbourhood } from './model.ts'

const chunk = (id: string, text: string) => ({ id, labels: ['Chunk' as const], properties: { id, text } })
const model = modelOf({
  nodes: [
    { id: 'd', labels: ['Document'], properties: { filename: 'mill.md' } },
    chunk('c2', 'The Oven'),
    chunk('c1', 'The wheel turns'),
    chunk('c3', 'The wheel of bread'),
  ],
  relationships: [
    { id: 'h1', source: 'd', target: 'c1', type: 'HAS_CHUNK', properties: { order: 0 } },
    { id: 'h2', source: 'd', target: 'c2', type: 'HAS_CHUNK', properties: { order: 1 } },
    { id: 'h3', source: 'd', target: 'c3', type: 'HAS_CHUNK', properties: { order: 2 } },
    { id: 'r1', source: 'c2', target: 'c1', type: 'EXPLAINS', properties: { confidence: 0.9 } },
    { id: 'r2', source: 'c3', target: 'c2', type: 'SUPPORTS', properties: { confidence: 0.3 } },
  ],
})

it('lists each document followed by its chunks in order', () => {
  expect(model.items.map(({ id, order }) => [id, order])).toEqual([
    ['d', -1],
    ['c1', 0],
    ['c2', 1],
    ['c3', 2],
  ])
})

it('finds items by all words in any case and by id, documents first', () => {
  const ids = (text: string) => find(model, text).map(({ id }) => id)
  expect([ids('WHEEL the'), ids('mill'), ids('c2'), ids('  ')]).toEqual([['c1', 'c3'], ['d'], ['c2'], []])
})

it('follows relationships from a node if they pass the filter', () => {
  const around = (reach: number, hide: string[], min: number) =>
    [...neighbourhood(model, 'c1', reach, { hide, min }).nodes].sort()
  expect(around(1, ['HAS_CHUNK'], 0)).toEqual(['c1', 'c2'])
  expect(around(2, ['HAS_CHUNK'], 0)).toEqual(['c1', 'c2', 'c3'])
  expect(around(2, ['HAS_CHUNK'], 0.5)).toEqual(['c1', 'c2'])
  expect(around(1, ['HAS_CHUNK', 'EXPLAINS'], 0)).toEqual(['c1'])
})
