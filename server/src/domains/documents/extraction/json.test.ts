import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

describe('JSON', () => {
  test('the text equals the file', async () => {
    const json = ' {\r\n\t"a" : [1.50, 1e3, "\\u00e9\\"],[{"],\n"b":{} }\n\n'
    expect((await extractAndChunk(json, 'json')).text).toBe(json)
  })

  test('the heading path of a chunk is the path of its value', async () => {
    const server = (index: number) => ({ name: `node-${index}`, note: 'x'.repeat(600), port: 8000 + index })
    const json = JSON.stringify(
      { title: 'fleet', servers: [server(0), server(1), server(2)], 'last key': 1 },
      null,
      2,
    )
    const { chunks, headings } = await extractAndChunk(json, 'json')
    expect(headingPathOf(chunks, 'node-0')).toEqual([])
    expect(headingPathOf(chunks, 'node-1')?.slice(0, 2)).toEqual(['servers', '1'])
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 title',
      '1 servers',
      ...[0, 1, 2].flatMap((index) => [`2 ${index}`, '3 name', '3 note', '3 port']),
      '1 last key',
    ])
  })

  test('chunks begin with records, also without spaces and line breaks', async () => {
    const record = (id: number) => ({
      id,
      title: `Record number ${id}`,
      tags: ['red', 'green'],
      size: { w: 1, h: 2 },
    })
    const { chunks } = await extractAndChunk(
      JSON.stringify(Array.from({ length: 200 }, (_, id) => record(id))),
      'json',
    )
    for (const chunk of chunks.slice(1)) expect(chunk.text).toMatch(/^\{"id":/)
    for (const chunk of chunks) expect(chunk.text.length).toBeGreaterThan(300)
  })

  test('scalars in lists have no headings, unless a heading is needed to end the previous path', async () => {
    const { headings } = await extractAndChunk('{"a":[1,{"b":2},3,4],"c":"d"}', 'json')
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 a',
      '2 1',
      '3 b',
      '2 2',
      '2 3',
      '1 c',
    ])
  })

  test('headings start at their keys, for any values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 4 }), async (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        fc.pre(text.trim() !== '' && !text.includes('\0'))
        const { headings } = await extractAndChunk(text, 'json')
        for (const { start, title } of headings) {
          const key = JSON.stringify(title)
          expect(text.startsWith(key, start) || /^\d+$/.test(title)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test.each(['{"a":1', '{a:1}', '[1,]', '', '// x\n{}', '{"a":1}{"a":2}', '"\x01"', '<html>', 'NaN'])(
    'a file that is not JSON is malformed or empty: %j',
    async (text) => {
      expect(await reasonOf(extractText(Buffer.from(text), 'json'))).toMatch(/malformed|empty/)
    },
  )

  test('deeply nested JSON is malicious, and malformed if its brackets are not closed', async () => {
    const bomb = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(await reasonOf(extractText(Buffer.from(bomb(2_000_000)), 'json'))).toBe('malicious')
    expect(
      await reasonOf(extractText(Buffer.from(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`), 'json')),
    ).toBe('malicious')
    expect(await reasonOf(extractText(Buffer.from('['.repeat(4_000_000)), 'json'))).toBe('malformed')
    expect((await extractAndChunk(bomb(400), 'json')).text).toHaveLength(800)
  })

  test('five megabytes of tiny values, or of one string, are read in time', async () => {
    await extractAndChunk(`[${'1,'.repeat(2_499_999)}1]`, 'json')
    await extractAndChunk(`{${'"a":1,'.repeat(800_000)}"b":2}`, 'json')
    await extractAndChunk(`"${'\\"'.repeat(2_500_000)}"`, 'json')
  }, 60_000)
})
