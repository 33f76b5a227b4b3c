import { describe, expect, test } from 'vitest'
import { extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

const rows = (count: number, separator = ',') =>
  Array.from({ length: count }, (_, index) =>
    [`P-${index}`, `"Pump, model ${index}"`, `${index * 3}.50`].join(separator),
  ).join('\n')

describe('CSV', () => {
  test('the text equals the file, including quotes and CRLF', async () => {
    const csv = 'name;note\r\n"Anna ""A"" B";"two\r\nlines; one cell"\r\n\r\nÜ;😀\r\n'
    expect((await extractAndChunk(csv, 'csv')).text).toBe(csv)
  })

  test.each([',', ';', '\t', '|'])(
    'chunks begin with records and have the columns as heading, separated by %j',
    async (separator) => {
      const { chunks, headings } = await extractAndChunk(
        `Part${separator}Title${separator}Price\n${rows(300, separator)}\n`,
        'csv',
      )
      expect(headings).toEqual([{ start: 0, level: 1, title: 'Part, Title, Price' }])
      expect(chunks.length).toBeGreaterThan(5)
      for (const [index, chunk] of chunks.entries()) {
        expect(chunk.text).toMatch(index === 0 ? /^Part/ : /^P-\d+/)
        expect(chunk.text).toMatch(/\.50$/)
        expect(chunk.headingPath).toEqual(['Part, Title, Price'])
      }
    },
  )

  test('a line break in quotes does not begin a record', async () => {
    const record = (index: number) => `R${index},"first line of ${index}\nsecond line, with é\nthird",end`
    const csv = `id,text,last\n${Array.from({ length: 100 }, (_, index) => record(index)).join('\n')}\n`
    const { chunks } = await extractAndChunk(csv, 'csv')
    for (const chunk of chunks.slice(1)) expect(chunk.text).toMatch(/^R\d+,"first/)
  })

  test('a first record of numbers is not a header', async () => {
    const { chunks } = await extractAndChunk('1,2.5\n3,4\n', 'csv')
    expect(headingPathOf(chunks, '3,4')).toEqual([])
  })

  test('records of different lengths and quotes within a cell are read', async () => {
    expect((await extractAndChunk('a,b\n1\n2,3,4\nsize 5" pipe,7\n', 'csv')).headings[0]?.title).toBe('a, b')
  })

  test('an unclosed quote is malformed, and the message names it', async () => {
    const promise = extractText(Buffer.from('a,b\n"never closed,1\n2,3\n'), 'csv')
    expect(await reasonOf(promise)).toBe('malformed')
    await expect(promise).rejects.toThrow(/quote/)
  })

  test('another format, binary data and an empty file are rejected', async () => {
    expect(await reasonOf(extractText(Buffer.from('PK\x03\x04rest'), 'csv'))).toBe('malicious')
    expect(await reasonOf(extractText(Buffer.from('a,\0\n'), 'csv'))).toBe('malformed')
    expect(await reasonOf(extractText(Buffer.from('\r\n \n'), 'csv'))).toBe('empty')
  })

  test('five megabytes of tiny records are read in time', async () => {
    const { chunks } = await extractAndChunk('1\n'.repeat(2_500_000), 'csv')
    expect(chunks.length).toBeGreaterThan(3000)
  }, 30_000)
})
