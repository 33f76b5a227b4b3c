import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentOf } from './segment.ts'
import { decodeSegment, encodeSegment } from './segment-bytes.ts'

test('a segment comes back from its bytes as it was', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom('red', 'größer', '東京都', 'v1.2.3', 'both_require', '42'), fc.string()))
    .map((words) => words.join(' '))
  const chunk = fc.record({ text, headingPath: fc.array(text, { maxLength: 3 }) })
  fc.assert(
    fc.property(text, fc.array(chunk, { maxLength: 6 }), (filename, chunks) => {
      const segment = segmentOf(filename, chunks)
      expect(decodeSegment(encodeSegment(segment))).toEqual(segment)
    }),
  )
})

test('so does one of frequencies and rows beyond a byte', () => {
  const chunks = Array.from({ length: 300 }, (_, row) => ({
    text: row % 150 === 0 ? 'often '.repeat(70_000) : 'seldom',
    headingPath: ['title '.repeat(row)],
  }))
  const segment = segmentOf(`${'name '.repeat(300)}.txt`, chunks)
  expect(decodeSegment(encodeSegment(segment))).toEqual(segment)
  expect(Math.max(...segment.payloads)).toBeGreaterThan(2 ** 31)
})
