import { expect, it } from 'vitest'
import { findSpans } from './search.ts'
import { addressOf, buildTree, spanAt, type TraceSpan } from './tree.ts'

const bare = { attributes: {}, start_ms: null, end_ms: null }
const spans: TraceSpan[] = [
  { ...bare, name: 'agent', span_id: 'a' },
  {
    ...bare,
    name: 'chat',
    span_id: 'b',
    parent_id: 'a',
    output: [{ role: 'assistant', content: 'Die Pumpe' }],
  },
  { ...bare, name: 'tool', span_id: 'c', parent_id: 'a', attributes: { 'tool.name': 'read_sensor' } },
  { ...bare, name: 'other' },
]
const tree = buildTree(spans)

it('spans are found by name, content and attributes, with the spans above them', () => {
  const found = (text: string) => {
    const { matches, kept } = findSpans(tree, text) ?? {}
    return [matches?.map(({ span: { name } }) => name), kept && [...kept].sort()]
  }
  expect(found('PUMPE')).toEqual([['chat'], [0, 1]])
  expect(found(' read_sensor ')).toEqual([['tool'], [0, 2]])
  expect(found('other')).toEqual([['other'], [3]])
  expect(found('nothing')).toEqual([[], []])
  expect(findSpans(tree, '  ')).toBeUndefined()
})

it('spans have an address that leads to them: their id, or else their index', () => {
  const addresses = tree.nodes.map((node) => addressOf(tree, node))
  expect(addresses).toEqual(['a', 'b', 'c', '3'])
  expect(addresses.map((address) => spanAt(tree, address))).toEqual(tree.nodes)
  expect(spanAt(tree, '1')?.span.name).toBe('chat')
  expect(spanAt(tree, 'gone')).toBeUndefined()
  const twice = buildTree([
    { ...bare, name: 'x', span_id: 's' },
    { ...bare, name: 'y', span_id: 's' },
  ])
  expect(twice.nodes.map((node) => spanAt(twice, addressOf(twice, node)))).toEqual(twice.nodes)
})
