import { describe, expect, test } from 'vitest'
import {
  contentTypes,
  documentPart,
  documentType,
  paragraph,
  type SampleEntry,
  sampleDocx,
  sampleZip,
} from './docx.test-samples.ts'
import { bytes, extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

const textOf = async (body: string, more?: SampleEntry[]) =>
  (await extractAndChunk(sampleDocx(body, more), 'docx')).text
const cell = (content: string) => `<w:tc>${content}</w:tc>`
const row = (...cells: string[]) =>
  `<w:tr>${cells.map((text) => cell(text && paragraph(text))).join('')}</w:tr>`

describe('DOCX', () => {
  test('an empty line separates paragraphs, and runs are joined', async () => {
    const runs =
      '<w:p><w:r><w:t>One </w:t></w:r><w:r><w:t>and &amp; t</w:t><w:t>wo</w:t><w:br/><w:t>new line</w:t></w:r></w:p>'
    expect(await textOf(`${runs}<w:p/>${paragraph('Three')}`)).toBe('One and & two\nnew line\n\nThree')
  })

  test('headings are found by style name, outline level and base style', async () => {
    const filler = paragraph('Some words of filler. '.repeat(30))
    const own = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>By itself</w:t></w:r></w:p>'
    const body = [
      paragraph('Report', 'Titel'),
      paragraph('First', 'berschrift1'),
      filler,
      paragraph('Second', 'Own'),
      filler,
      paragraph('Third', 'Derived'),
      own,
      paragraph('the valve is green'),
      paragraph('not one', 'Round'),
      paragraph('nor this', 'Unknown'),
    ]
    const { text, headings, chunks } = await extractAndChunk(sampleDocx(body.join('')), 'docx')
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Report'],
      [1, 'First'],
      [2, 'Second'],
      [2, 'Third'],
      [3, 'By itself'],
    ])
    for (const { start, title } of headings) expect(text.slice(start, start + title.length)).toBe(title)
    expect(headingPathOf(chunks, 'the valve is green')).toEqual(['First', 'Third'])
  })

  test('a table row is one line, and list items begin with a hyphen', async () => {
    const table = `<w:tbl>${row('Day', 'Open')}<w:tr>${cell(paragraph('Mon') + paragraph('day'))}${cell(paragraph('9', 'berschrift1'))}</w:tr>${row('', 'x')}</w:tbl>`
    expect(await textOf(`${paragraph('Hours')}${table}${paragraph('End')}`)).toBe(
      'Hours\n\nDay | Open\nMon day | 9\n| x\n\nEnd',
    )
    const item = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>red</w:t></w:r></w:p>'
    expect(await textOf(item)).toBe('- red')
  })

  test('deleted and moved text, field codes and alternative content are skipped; footnotes are included', async () => {
    const body = `<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
      <w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:r><w:instrText>HYPERLINK "http://gone"</w:instrText></w:r>
      <mc:AlternateContent xmlns:mc="x"><mc:Choice><w:r><w:t> once</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>twice</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`
    const notes = { ...documentPart(paragraph('a note')), name: 'word/footnotes.xml' }
    expect(await textOf(body, [notes])).toBe('kept once\n\na note')
  })

  test('links to other servers are not followed', async () => {
    const content =
      '<Relationships><Relationship Target="http://127.0.0.1:1/x" TargetMode="External"/></Relationships>'
    expect(await textOf(paragraph('text'), [{ name: 'word/_rels/document.xml.rels', content }])).toBe('text')
  })

  const hello = documentPart(paragraph('hello'))
  const blown = 'a'.repeat(3_000_000)
  const macroType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
  test.each<[string, Uint8Array]>([
    ['macros', sampleDocx(paragraph('x'), [{ name: 'word/vbaProject.bin', content: 'x' }])],
    ['macros in another case', sampleDocx(paragraph('x'), [{ name: 'WORD/VBAPROJECT.BIN', content: 'x' }])],
    ['the content type of macros', sampleZip([contentTypes(macroType), hello])],
    [
      'a bomb with a true size in its directory',
      sampleDocx(paragraph('x'), [{ name: 'word/a.bin', content: blown }]),
    ],
    [
      'a bomb with a false size in its directory',
      sampleZip([contentTypes(), { ...hello, content: `<a>${blown}</a>`, declared: 900 }]),
    ],
    [
      'a bomb of many entries',
      sampleZip(Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, content: '' }))),
    ],
    [
      'a bomb of large entries',
      sampleDocx(
        '',
        Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, content: 'x', declared: 900_000 * 64 })),
      ),
    ],
    [
      'entities',
      sampleZip([contentTypes(), { ...hello, content: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }]),
    ],
    ['deep nesting', sampleDocx(`${'<w:p>'.repeat(600)}${'</w:p>'.repeat(600)}`)],
    ['a PDF', bytes('%PDF-1.7')],
    ['a PDF in front of an archive', Buffer.concat([bytes('%PDF-1.7\n'), sampleDocx(paragraph('x'))])],
    ['a PDF within an archive', sampleZip([{ name: '%PDF-1.7', content: 'x' }, contentTypes(), hello])],
  ])('%s is malicious', async (_, file) => {
    expect(await reasonOf(extractText(file, 'docx'))).toBe('malicious')
  })

  test.each<[string, Uint8Array]>([
    ['plain text', bytes('hello')],
    ['a truncated file', sampleDocx(paragraph('hello')).subarray(0, 300)],
    ['an archive of something else', sampleZip([{ name: 'a.txt', content: 'x' }])],
    [
      'a workbook',
      sampleZip([
        contentTypes('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'),
        hello,
      ]),
    ],
    ['a document without its main part', sampleZip([contentTypes()])],
    ['a main part that is no XML', sampleZip([contentTypes(), { ...hello, content: '<w:p>' }])],
    ['two entries of one name', sampleZip([contentTypes(documentType), hello, hello])],
    [
      'an entry with a larger size in the directory',
      sampleZip([contentTypes(), { ...hello, declared: 5000 }]),
    ],
    ['an entry with a path out of the archive', sampleDocx(paragraph('x'), [{ name: '../x', content: 'x' }])],
    ['damaged data', damaged(sampleDocx(paragraph('hello')))],
  ])('%s is malformed', async (_, file) => {
    expect(await reasonOf(extractText(file, 'docx'))).toBe('malformed')
  })

  test.each<[string, Uint8Array]>([
    [
      'an old or encrypted document',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    ],
    ['an encrypted entry', sampleZip([contentTypes(), { ...hello, flags: 1 }])],
  ])('%s is malformed, and the message mentions the password', async (_, file) => {
    const promise = extractText(file, 'docx')
    expect(await reasonOf(promise)).toBe('malformed')
    await expect(promise).rejects.toThrow(/password/)
  })

  test('a document without text is no_text', async () => {
    expect(await reasonOf(extractText(sampleDocx('<w:p/>'), 'docx'))).toBe('no_text')
  })

  test('truncated files and files with a broken byte are rejected or read, without any other error', async () => {
    const file = sampleDocx(paragraph('hello there'))
    for (let at = 0; at < file.length; at += 3) {
      const broken = Buffer.from(file)
      broken[at] = (broken[at] ?? 0) ^ 0x55
      for (const candidate of [broken, file.subarray(0, at)]) {
        await extractText(candidate, 'docx').catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'ExtractionError' })
        })
      }
    }
  })
})

function damaged(file: Buffer): Buffer {
  const at = file.indexOf('word/document.xml') + 30
  return Buffer.concat([file.subarray(0, at), Buffer.alloc(20, 0xff), file.subarray(at + 20)])
}
