import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { bytes, extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

const reasonFor = (xml: string) => reasonOf(extractText(bytes(xml), 'xml'))

describe('XML', () => {
  test('elements and attributes become lines, with the path to an element as headings', async () => {
    const xml = `<?xml version="1.0"?><shop xmlns="urn:x"><!-- no --><book id="b1" lang="en"><title>Dune &amp; co</title>
      <price currency="EUR">25</price></book><empty/><stock count="3"/></shop>`
    const { text, headings } = await extractAndChunk(xml, 'xml')
    expect(text).toBe('book (id=b1, lang=en):\ntitle: Dune & co\nprice (currency=EUR): 25\nstock (count=3)')
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 shop',
      '2 book',
      '3 title',
      '3 price',
      '2 stock',
    ])
    expect(text.slice(headings[2]?.start)).toMatch(/^title/)
  })

  test('elements in mixed content stay in its line', async () => {
    const xml = '<doc><p>Use <b>both</b> <i>hands</i>, <![CDATA[<always>]]>.</p><p>Next one</p></doc>'
    expect((await extractAndChunk(xml, 'xml')).text).toBe('p: Use both hands, <always>.\np: Next one')
  })

  test('chunks begin with records and have their path as headings', async () => {
    const record = (id: number) =>
      `<part><id>${id}</id><name>valve number ${id}</name><use><by>a person</by></use></part>`
    const xml = `<list><parts>${Array.from({ length: 200 }, (_, id) => record(id)).join('')}</parts></list>`
    const { chunks } = await extractAndChunk(xml, 'xml')
    expect(chunks.length).toBeGreaterThan(5)
    for (const chunk of chunks) expect(chunk.text).toMatch(/^id: \d+/)
    expect(headingPathOf(chunks, 'valve number 150')?.slice(0, 3)).toEqual(['list', 'parts', 'part'])
  })

  test('the declared encoding is used', async () => {
    const head = '<?xml version="1.0" encoding="windows-1251"?><a>'
    const xml = Buffer.concat([bytes(head), Buffer.from([0xcf, 0xf0, 0xe8]), bytes('</a>')])
    expect((await extractAndChunk(new Uint8Array(xml), 'xml')).text).toBe('a: При')
    expect((await extractAndChunk(bytes('\ufeff<a>é</a>', 'utf16le'), 'xml')).text).toBe('a: é')
  })

  const laughs = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('')
  test.each([
    ['an entity bomb', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://a.example/x.dtd"> %x;]><a>y</a>'],
    ['an entity that is not used', '<?xml version="1.0"?>\n<!DOCTYPE a [ <!ENTITY x "y"> ]><a>text</a>'],
    ['deep nesting', `${'<a>'.repeat(600)}x${'</a>'.repeat(600)}`],
    ['deep nesting without an end', '<a>'.repeat(100_000)],
    ['a PDF', '%PDF-1.7'],
    ['an archive', 'PK\x03\x04'],
  ])('%s is malicious', async (_, xml) => {
    expect(await reasonFor(xml)).toBe('malicious')
  })

  test('a document type without entities is accepted, and not fetched', async () => {
    const xml = '<!DOCTYPE note SYSTEM "http://127.0.0.1:1/note.dtd"><note>hello</note>'
    expect((await extractAndChunk(xml, 'xml')).text).toBe('note: hello')
  })

  test.each([
    '<a><b></a>',
    '<a>',
    'text',
    '<a/><b/>',
    '<a x=1/>',
    '<a>&nbsp;</a>',
    '<a x="1" x="2"/>',
    '<a>\x01</a>',
  ])('XML that is not well-formed is malformed: %j', async (xml) => {
    expect(await reasonFor(xml)).toBe('malformed')
  })

  test('the message names the line', async () => {
    await expect(extractText(bytes('<a>\n<b>\n</a>'), 'xml')).rejects.toThrow(/line 3/)
  })

  test('XML without text is empty', async () => {
    expect(await reasonFor('<a><b/></a>')).toBe('empty')
  })

  test('five megabytes of tiny elements are read in time', async () => {
    const work = () => extractAndChunk(`<a>${'<b>1</b>'.repeat(600_000)}</a>`, 'xml')
    expect(await processorMs(work)).toBeLessThan(30_000)
  }, 120_000)
})
