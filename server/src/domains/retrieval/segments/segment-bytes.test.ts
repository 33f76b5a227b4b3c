import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Postings } from '../search/postings.ts'
import { Scratch } from '../wasm/scratch.ts'
import { eachPosting } from './posting-bytes.ts'
import { type Segment, segmentOf } from './segment.ts'
import { decodeSegment, encodeSegment } from './segment-bytes.ts'
import { unpackTerms } from './term-table.ts'

const scratch = new Scratch()

test('a decoded segment equals the encoded one', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom('red', 'größer', '東京都', 'v1.2.3', 'both_require', '42'), fc.string()))
    .map((words) => words.join(' '))
  const chunk = fc.record({ text, headingPath: fc.array(text, { maxLength: 3 }) })
  fc.assert(
    fc.property(text, fc.array(chunk, { maxLength: 6 }), (filename, chunks) => {
      const segment = segmentOf(filename, chunks)
      expect(decodeSegment(encodeSegment(segment), scratch)).toEqual(segment)
    }),
  )
})

const long = segmentOf(
  `${'name '.repeat(300)}.txt`,
  Array.from({ length: 300 }, (_, row) => ({
    text: row % 150 === 0 ? 'often '.repeat(70_000) : 'seldom',
    headingPath: ['title '.repeat(row)],
  })),
)

test('a segment with frequencies and rows above one byte is decoded correctly', () => {
  expect(decodeSegment(encodeSegment(long), scratch)).toEqual(long)
})

/** Alternating rows and packed frequencies, by term. */
function postingsOf(segment: Segment): Record<string, number[]> {
  const terms = unpackTerms(segment.terms)
  const lists: Record<string, number[]> = {}
  eachPosting(segment, (term, row, packed) => {
    const name = terms[term] ?? ''
    lists[name] = [...(lists[name] ?? []), row, packed]
  })
  return lists
}

test('postings have the rows and frequencies of a term in text, heading path and name, limited by their bits', () => {
  const { often, titl } = postingsOf(long)
  expect(often).toEqual([0, 0xffff, 150, 0xffff])
  expect(titl?.slice(0, 4)).toEqual([1, 1 << 16, 2, 2 << 16])
  expect(titl?.slice(-2)).toEqual([299, 255 << 16])
  expect(postingsOf(long).name?.slice(-2)).toEqual([299, (255 << 24) >>> 0])
})

test('an index shifts the rows of each document to its first row', () => {
  const other = segmentOf('other.txt', [{ text: 'seldom, often; other', headingPath: [] }])
  const postings = new Postings()
  postings.add(long, 0)
  postings.add(other, 300)
  const [first, second] = [postingsOf(long), postingsOf(other)]
  for (const term of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const { pool, start, end } = postings.view(term) ?? { pool: new Uint32Array(0), start: 0, end: 0 }
    const moved = (second[term] ?? []).map((value, at) => (at % 2 === 0 ? value + 300 : value))
    expect([...pool.subarray(2 * start, 2 * end)]).toEqual([...(first[term] ?? []), ...moved])
  }
})
