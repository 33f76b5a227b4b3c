import { expect, test } from 'vitest'
import { readReply } from './reply.ts'

const pairs = [
  { earlier: 0, later: 1 },
  { earlier: 1, later: 2 },
]
const good = { source: 1, target: 0, type: 'EXPLAINS', confidence: 0.5 }

test('a reply gives the relations of the requested pairs, in either direction, each pair once', () => {
  const other = { source: 1, target: 2, type: 'INTRODUCES', confidence: 0 }
  expect(readReply({ relationships: [good, other, { ...good, type: 'SUPPORTS' }] }, pairs)).toEqual([
    good,
    other,
  ])
  expect(readReply({ relationships: [{ ...good, target: 2, source: 0 }, good] }, pairs)).toEqual([good])
  expect(readReply({ relationships: [] }, pairs)).toEqual([])
})

test.each([
  [null],
  ['text'],
  [[good]],
  [{}],
  [{ relationships: good }],
  [{ relationships: [{ ...good, confidence: 1.01 }] }],
  [{ relationships: [{ ...good, confidence: '0.5' }] }],
  [{ relationships: [{ ...good, type: 'NEXT' }] }],
  [{ relationships: [{ ...good, source: 0 }] }],
  [{ relationships: [null, 3] }],
])('an invalid reply is undefined, not empty: %j', (value) => {
  expect(readReply(value, pairs)).toBeUndefined()
})
