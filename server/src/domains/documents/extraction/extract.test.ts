import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bytes, reasonOf } from './extract.test-support.ts'
import { ExtractionError, extractText } from './extract.ts'
import { samplePdf } from './pdf.test-samples.ts'

const hello = [[{ text: 'Hello from the page', x: 72, y: 700 }]]
const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

describe('text and Markdown', () => {
  test('the text equals the file, including line ends and unusual spaces', async () => {
    const text = '  One\r\n\r\n\ttwo  \u00a0three\u200b \n\n\n\u2028é e\u0301 <script>alert(1)</script>\n'
    expect((await extractText(bytes(text), 'txt')).text).toBe(text)
    expect((await extractText(bytes(text), 'md')).text).toBe(text)
  })

  test('a UTF-8 byte order mark is removed', async () => {
    expect((await extractText(bytes('\ufeffhi'), 'txt')).text).toBe('hi')
  })

  test('UTF-16 is detected by its byte order mark, in both byte orders', async () => {
    const little = Buffer.from('\ufeffGrüße', 'utf16le')
    expect((await extractText(new Uint8Array(little), 'txt')).text).toBe('Grüße')
    expect((await extractText(new Uint8Array(Buffer.from(little).swap16()), 'txt')).text).toBe('Grüße')
  })

  test('UTF-16 without a byte order mark is detected by its pattern, in both byte orders', async () => {
    const little = Buffer.from('Grüße von hier – 日本', 'utf16le')
    expect((await extractText(new Uint8Array(little), 'txt')).text).toBe('Grüße von hier – 日本')
    expect((await extractText(new Uint8Array(Buffer.from(little).swap16()), 'md')).text).toBe(
      'Grüße von hier – 日本',
    )
  })

  test('bytes that are not UTF-8 are read as windows-1252', async () => {
    expect((await extractText(new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x20, 0x80]), 'txt')).text).toBe(
      'café €',
    )
  })

  test('a file with a NUL is binary data and malformed', async () => {
    expect(await reasonOf(extractText(new Uint8Array([65, 0, 66, 7]), 'txt'))).toBe('malformed')
  })

  test('a file of only white space is empty', async () => {
    expect(await reasonOf(extractText(bytes(' \n\t\u00a0\n'), 'txt'))).toBe('empty')
    expect(await reasonOf(extractText(new Uint8Array(), 'md'))).toBe('empty')
  })

  test('files with the leading bytes of another format are rejected', async () => {
    expect(await reasonOf(extractText(samplePdf(hello), 'txt'))).toBe('malicious')
    expect(await reasonOf(extractText(bytes('PK\x03\x04', 'latin1'), 'md'))).toBe('malicious')
    const alsoPdf = '# Notes\n%PDF-1.7\nstartxref\n9\n%%EOF\n'
    expect(await reasonOf(extractText(bytes(alsoPdf), 'md'))).toBe('malicious')
    expect(
      (await extractText(bytes('A PDF begins with %PDF-1.7 and ends with %%EOF.'), 'md')).text,
    ).toContain('%PDF')
  })

  test('Markdown headings are found with level and offset, outside code fences', async () => {
    const text =
      '# One\n\n```sh\n# not this\n```\n\n## Two ##\ntext\n\nThree\n=====\r\nFour\n---\n- item\n---\n#five\n'
    const { headings } = await extractText(bytes(text), 'md')
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'One'],
      [2, 'Two'],
      [1, 'Three'],
      [2, 'Four'],
    ])
    for (const { start, title } of headings)
      expect(text.slice(start).replace(/^#+ /, '')).toMatch(new RegExp(`^${title}`))
  })
})

describe('PDF', () => {
  test('pages are joined by an empty line and their ranges are exact', async () => {
    const pages = ['First page', 'Second page', ''].map((text) => [{ text, x: 72, y: 700 }])
    const document = await extractText(samplePdf(pages), 'pdf')
    expect(document.text).toBe('First page\n\nSecond page\n\n')
    expect(document.pages.map(({ start, end }) => document.text.slice(start, end))).toEqual([
      'First page',
      'Second page',
      '',
    ])
    expect(document.pages.map(({ page }) => page)).toEqual([1, 2, 3])
  })

  test('the cells of a row are on one line, separated by spaces', async () => {
    const cells = [
      { text: 'Age:', x: 72, y: 700 },
      { text: '38', x: 200, y: 700 },
      { text: 'Rating:', x: 300, y: 700 },
      { text: 'None', x: 400, y: 700 },
    ]
    expect((await extractText(samplePdf([cells]), 'pdf')).text).toBe('Age:  38  Rating:  None')
  })

  test('a further line of a cell is joined to its cell', async () => {
    const cells = [
      { text: 'Restraint:', x: 72, y: 700 },
      { text: 'Seatbelt, shoulder', x: 200, y: 700 },
      { text: 'harness', x: 200, y: 688 },
      { text: 'Age:', x: 400, y: 700 },
      { text: '38', x: 450, y: 700 },
    ]
    expect((await extractText(samplePdf([cells]), 'pdf')).text).toBe(
      'Restraint:  Seatbelt, shoulder harness  Age:  38',
    )
  })

  test('a hyphen at the end of a line is deleted only if the document has the word without it', async () => {
    const lines = ['The treatment and self-', 'dependent treat-', 'ment in 2019-', '2021']
    const placed = lines.map((text, index) => ({ text, x: 72, y: 700 - 13 * index }))
    expect((await extractText(samplePdf([placed]), 'pdf')).text).toBe(
      'The treatment and self-dependent treatment in 2019-2021',
    )
  })

  test('larger lines are headings, and larger sizes are higher levels', async () => {
    const lines = [
      { text: 'Annual report', x: 72, y: 760, size: 20 },
      { text: 'Results', x: 72, y: 720, size: 14 },
      { text: 'We sold more than ever before.', x: 72, y: 700 },
    ]
    const { text, headings } = await extractText(samplePdf([lines]), 'pdf')
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Annual report'],
      [2, 'Results'],
    ])
    for (const { start, title } of headings) expect(text.slice(start, start + title.length)).toBe(title)
  })

  test('a PDF without text is no_text, and the message mentions OCR', async () => {
    const promise = extractText(samplePdf([[]]), 'pdf')
    expect(await reasonOf(promise)).toBe('no_text')
    await expect(promise).rejects.toThrow(/scanned images.*OCR/)
  })

  test('other leading bytes, a truncated file and garbage are malformed', async () => {
    expect(await reasonOf(extractText(bytes('Hello'), 'pdf'))).toBe('malformed')
    expect(await reasonOf(extractText(bytes(' %PDF-1.7'), 'pdf'))).toBe('malformed')
    expect(await reasonOf(extractText(samplePdf(hello).slice(0, 60), 'pdf'))).toBe('malformed')
    expect(await reasonOf(extractText(bytes('%PDF-1.7\ngarbage'), 'pdf'))).toBe('malformed')
  })

  test('an encrypted PDF is malformed, and the message mentions the password', async () => {
    const encrypted = Buffer.from(samplePdf(hello))
      .toString('latin1')
      .replace(
        '/Root 1 0 R',
        `/Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`,
      )
    const promise = extractText(bytes(encrypted, 'latin1'), 'pdf')
    expect(await reasonOf(promise)).toBe('malformed')
    await expect(promise).rejects.toThrow(/password/)
  })

  test.each([
    ['a script that runs on opening', { catalog: `/OpenAction ${script}` }],
    ['a named script', { catalog: '/Names << /JavaScript << /Names [(a) 6 0 R] >> >>', objects: [script] }],
    ['a script of a page event', { page: `/AA << /O ${script} >>` }],
    ['a script with an escaped name', { catalog: '/OpenAction << /S /J#61vaScript /JS (1) >>' }],
    [
      'a script hidden behind a made-up stream',
      { catalog: `\n%>>stream\n/OpenAction ${script}\n%endstream\n` },
    ],
    ['a launch action', { catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' }],
    [
      'a launch action of a link',
      { page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S/Launch/F (a.exe) >> >>]' },
    ],
    [
      'a launch action in a compressed object',
      { objects: [compressed('7 0 << /S /Launch /F (cmd.exe) >>')] },
    ],
  ])('%s is malicious', async (_, options) => {
    expect(await reasonOf(extractText(samplePdf(hello, options), 'pdf'))).toBe('malicious')
  })

  test('a PDF that is also an archive is malicious', async () => {
    const end = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
    expect(await reasonOf(extractText(new Uint8Array(Buffer.concat([samplePdf(hello), end])), 'pdf'))).toBe(
      'malicious',
    )
  })

  test('prose about scripts and ordinary links are accepted', async () => {
    const prose = [[{ text: 'Write /S /JavaScript or /S /Launch', x: 72, y: 700 }]]
    const page =
      '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://a.example/\\)/S /Launch) >> >>]'
    expect((await extractText(samplePdf(prose, { page }), 'pdf')).text).toContain('/S /JavaScript')
  })

  test("the caller's bytes stay unchanged", async () => {
    const file = samplePdf(hello)
    await extractText(file, 'pdf')
    expect(Buffer.from(file.slice(0, 5)).toString()).toBe('%PDF-')
  })
})

function compressed(objects: string): string {
  const data = deflateSync(Buffer.from(objects, 'latin1')).toString('latin1')
  return `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`
}

const folder = resolve(import.meta.dirname, '../../../../../../shared/data/documents')
if (!existsSync(folder)) console.warn(`SKIPPED: real PDFs, ${folder} is missing`)

describe.skipIf(!existsSync(folder))('real PDFs', () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : []

  test('all PDFs except the scanned one have text, with exact pages and headings', async () => {
    const reasons: Record<string, number> = {}
    for (const name of files) {
      const document = await extractText(new Uint8Array(readFileSync(resolve(folder, name))), 'pdf').catch(
        (error: unknown) => {
          if (!(error instanceof ExtractionError)) throw error
          reasons[error.reason] = (reasons[error.reason] ?? 0) + 1
        },
      )
      if (!document) continue
      expect(document.text.length).toBeGreaterThan(3000)
      expect(document.pages.at(-1)?.end).toBe(document.text.length)
      for (const { start, title } of document.headings) {
        expect(document.text.slice(start, start + title.length).replace(/\s+/g, ' ')).toBe(title)
      }
    }
    expect(files.length).toBeGreaterThan(5)
    expect(reasons).toEqual({ no_text: 1 })
  })
})
