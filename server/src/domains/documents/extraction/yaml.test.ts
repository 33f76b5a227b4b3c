import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { bytes, extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

const reasonFor = (yaml: string) => reasonOf(extractText(bytes(yaml), 'yaml'))
const outlineOf = async (yaml: string) =>
  (await extractAndChunk(yaml, 'yml')).headings.map(
    ({ start, level, title }) => `${level} ${title} @${yaml.slice(start, start + 3)}`,
  )

describe('YAML', () => {
  test('the text equals the file, including comments, several documents and block scalars', async () => {
    const yaml = '\ufeff# top\r\n---\r\na: |\r\n  one\r\n\r\n   two\r\n...\r\n---\r\n- "x"   # end\r\n'
    expect((await extractAndChunk(yaml, 'yaml')).text).toBe(yaml.slice(1))
  })

  test('headings are the keys and indices, with exact offsets', async () => {
    const yaml = 'a:\n  - b: 1\n    "c d": \'q\'\n  -\n    e: |\n      lines\n- x\n'.replace(
      '- x\n',
      'z: [1, {k: 2}]\n',
    )
    expect(await outlineOf(yaml)).toEqual([
      '1 a @a:\n',
      '2 0 @- b',
      '3 b @b: ',
      '3 c d @"c ',
      '2 1 @-\n ',
      '3 e @e: ',
      '1 z @z: ',
      '2 1 @{k:',
      '3 k @k: ',
    ])
  })

  test('the heading path of a chunk is the path of its value', async () => {
    const server = (id: number) =>
      `  - name: node-${id}\n    port: ${8000 + id}\n    notes: >\n      ${'word '.repeat(170)}\n`
    const { chunks } = await extractAndChunk(
      `title: fleet\nservers:\n${[0, 1, 2, 3].map(server).join('')}last: true\n`,
      'yaml',
    )
    expect(headingPathOf(chunks, 'node-2')?.slice(0, 2)).toEqual(['servers', '2'])
    for (const chunk of chunks.slice(1, -1)) expect(chunk.text).toMatch(/^- name: node/)
  })

  test.each([
    'plain words, no structure',
    '- a\n- b',
    '{a: 1}',
    'a: &x [1]\nb: *x\nc: &self [*self]',
    '? [k]\n: v\n? k2\n: v',
    '!!set {a, b}',
    'a:\nb:\n-\n- - x'.replace('\n-\n- - x', '\n'),
  ])('reads %j', async (yaml) => {
    expect((await extractAndChunk(yaml, 'yml')).text).toBe(yaml)
  })

  const laughs = Array.from(
    { length: 9 },
    (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]\n`,
  )
  test.each([
    ['an alias bomb', `l0: &l0 [ha, ha]\n${laughs.join('')}`],
    ['deep nesting', `${'['.repeat(600)}${']'.repeat(600)}`],
    ['deep nesting without an end', '{a: '.repeat(100_000)],
    ['deep nesting by indices', `${'- '.repeat(2000)}x`],
    ['a PDF', '%PDF-1.7\na: 1'],
    ['an archive', 'PK\x03\x04'],
  ])('%s is malicious', async (_, yaml) => {
    expect(await reasonFor(yaml)).toBe('malicious')
  })

  test.each(['a: [1', 'a: b: c', '\ta: 1\nb: 2', 'a: *nobody', 'a: "x', '- a\nb: 1', 'a: 1\n b: 2'])(
    'a file that is not YAML is malformed: %j',
    async (yaml) => {
      expect(await reasonFor(yaml)).toBe('malformed')
    },
  )

  test('the message names the line', async () => {
    await expect(extractText(bytes('a: 1\nb: 2\nc: [\n'), 'yaml')).rejects.toThrow(
      /YAML is malformed in line \d/,
    )
  })

  test.each(['a: 1\n', '- 1\n', '- &a 1\n', '? ', '\n', '#\n', 'a', '"\\"', ' ', 'a: *', '{', "- '"])(
    'five megabytes of %j are read or rejected in time',
    async (piece) => {
      const work = () =>
        extractText(bytes(piece.repeat(5_000_000 / piece.length)), 'yaml').catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'ExtractionError' })
        })
      expect(await processorMs(work)).toBeLessThan(15_000)
    },
    120_000,
  )
})
