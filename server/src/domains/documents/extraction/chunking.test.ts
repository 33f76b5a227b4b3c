import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { tokenize } from '../../../lib/text.ts'
import { chunkText } from './chunking.ts'
import { markdownHeadings } from './markdown.ts'

const plain = (text: string) => ({ text, pages: [], headings: [] })
const markdown = (text: string) => ({ text, pages: [], headings: markdownHeadings(text) })
const sentence = 'The quick brown fox jumps over the lazy dog near the old mill. '

describe('properties', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '\n',
      '\n\n',
      '\r\n\r\n',
      '. ',
      '# Heading\n',
      '  ',
      '\u2028',
      'word '.repeat(30),
      'x'.repeat(400),
      '😀'.repeat(90),
    ),
  )
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  const sizes = fc.record({
    target: fc.integer({ min: 1, max: 300 }),
    extra: fc.integer({ min: 1, max: 200 }),
  })

  test('chunks cover every character except white space, in order, without overlap, and none is too long', () => {
    fc.assert(
      fc.property(text, sizes, (content, { target, extra }) => {
        const max = target + extra
        const chunks = chunkText(markdown(content), { target, max })
        let end = 0
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk.order).toBe(index)
          expect(chunk.text).toBe(content.slice(chunk.start, chunk.end))
          expect(chunk.start).toBeGreaterThanOrEqual(end)
          expect(content.slice(end, chunk.start).trim()).toBe('')
          expect(chunk.text.length).toBeGreaterThan(0)
          expect(chunk.text.length).toBeLessThanOrEqual(max)
          expect(chunk.text.trim()).toBe(chunk.text)
          end = chunk.end
        }
        expect(content.slice(end).trim()).toBe('')
      }),
      { numRuns: 400 },
    )
  })

  test('no surrogate pair is split', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('😀', 'a', '𝒳', ' '), { maxLength: 200 }), (characters) => {
        const content = characters.join('')
        for (const { text: chunk } of chunkText(plain(content), { target: 5, max: 7 }))
          expect(chunk.isWellFormed()).toBe(true)
      }),
    )
  })
})

test('chunks of ordinary prose are near the target size and end with a sentence', () => {
  const chunks = chunkText(plain(sentence.repeat(100).trim()))
  for (const { text } of chunks) {
    expect(text).toMatch(/^The quick.*mill\.$/s)
    expect(text.length).toBeGreaterThan(600)
    expect(text.length).toBeLessThanOrEqual(1600)
  }
})

test('a paragraph end is preferred to a sentence end', () => {
  const [first] = chunkText(plain(`${sentence.repeat(13)}\n\n${sentence.repeat(30)}`))
  expect(first?.text).toBe(sentence.repeat(13).trim())
})

test('a heading begins a new chunk and stays with its text', () => {
  const chunks = chunkText(markdown(`# One\n\n${sentence.repeat(8)}\n\n## Two\n\n${sentence.repeat(8)}`))
  expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['One'], ['One', 'Two']])
  expect(chunks[1]?.text).toMatch(/^## Two\n\nThe quick/)
})

test('a heading ends the path of earlier headings of the same or a deeper level', () => {
  const parts = ['# A', '## B', '### C', '## D'].map((heading) => `${heading}\n\n${sentence.repeat(6)}`)
  const paths = chunkText(markdown(parts.join('\n\n'))).map(({ headingPath }) => headingPath.join('>'))
  expect(paths).toEqual(['A', 'A>B', 'A>B>C', 'A>D'])
})

test('the page is the one on which the chunk starts; null without pages', () => {
  const first = sentence.repeat(16).trim()
  const text = `${first}\n\n${first}`
  const pages = [
    { page: 1, start: 0, end: first.length },
    { page: 2, start: first.length + 2, end: text.length },
  ]
  expect(chunkText({ text, pages, headings: [] }).map(({ page }) => page)).toEqual([1, 2])
  expect(chunkText(plain(text)).map(({ page }) => page)).toEqual([null, null])
})

test('a million characters take well under a second', async () => {
  const text = `${sentence.repeat(5)}\n\n`.repeat(3000)
  const work = () => expect(chunkText(plain(text)).length).toBeGreaterThan(500)
  expect(await processorMs(work)).toBeLessThan(1000)
})

test('a million characters without a single break take well under a second', async () => {
  const work = () => expect(chunkText(plain('x'.repeat(1_000_000))).length).toBe(625)
  expect(await processorMs(work)).toBeLessThan(1000)
})

test.each([
  '.',
  '. ',
  '\n',
  ' \n',
  '# ',
  '#',
  '- ',
  '| ',
  'a  b\n',
  '"',
  '(',
  ':',
  'A. ',
  '1,000',
  'e.g. ',
  '\ud83d\ude00',
  '```\n',
  '=',
  ' ',
  '\t',
])('a megabyte of %j cannot stall the server', async (piece) => {
  const text = `# ${piece.repeat(1_000_000 / piece.length)}x`
  const work = () => {
    chunkText(markdown(text))
    tokenize(text)
  }
  expect(await processorMs(work)).toBeLessThan(3000)
})

test('heading paths are bounded for long titles and many levels', () => {
  const title = `The ${'very '.repeat(1000)}long title`
  const headings = Array.from({ length: 50 }, (_, level) => ({
    start: 0,
    level: level + 1,
    title: `${level} ${title}`,
  }))
  const [chunk] = chunkText({ text: 'some text', pages: [], headings })
  expect(chunk?.headingPath).toHaveLength(3)
  expect(chunk?.headingPath.at(-1)).toMatch(/^49 The very .*…$/)
  expect(chunk?.headingPath.join('').length).toBeLessThanOrEqual(600)
})

test('a chunk that begins inside a table has the heads of its columns as its last heading', () => {
  const rows = Array.from({ length: 120 }, (_, at) => `Region number ${at}  ${at},840  ${at},372`)
  const text = `Sales by region (in millions)\n\nRegion  2018  2017\n${rows.join('\n')}\n\nThe end of the table is here.`
  const chunks = chunkText({ text, pages: [], headings: [{ start: 0, level: 1, title: 'Sales by region' }] })
  expect(chunks.length).toBeGreaterThan(2)
  for (const [index, chunk] of chunks.entries()) {
    expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text)
    const heads = index === 0 ? [] : ['(in millions) | 2018 | 2017']
    expect(chunk.headingPath).toEqual(['Sales by region', ...heads])
  }
})
