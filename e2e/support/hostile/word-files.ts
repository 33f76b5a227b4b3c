import { filesOf, type HostileFile } from './file.ts'
import { paragraphOf, wordEntries, type ZipEntry, zipOf } from './zip.ts'

const hello = paragraphOf('Hello there')
const [types, document] = wordEntries(hello)
const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 0x20)
const word = (body: string) => zipOf(wordEntries(body))
const withDocument = (changes: Partial<ZipEntry>) => zipOf([types, { ...document, ...changes }])
const withMore = (...entries: ZipEntry[]) => zipOf([types, document, ...entries])
const styles = (content: string): ZipEntry => ({ name: 'word/styles.xml', content })
const nested = (depth: number, name: string) => `<${name}>`.repeat(depth) + hello + `</${name}>`.repeat(depth)

const archives = {
  'an archive of nothing': zipOf([]),
  'an archive of anything': zipOf([{ name: 'a.txt', content: 'Hello' }]),
  'no document in it': zipOf([types]),
  'types of another program': zipOf([{ ...types, content: '<Types/>' }, document]),
  'a document of 60 MB of blanks': word(' '.repeat(60 * 1024 * 1024)),
  'a document of 100 MB of blanks': word(' '.repeat(100 * 1024 * 1024)),
  'a document of 20 MB of words': word(paragraphOf('words and words '.repeat(100)).repeat(12_000)),
  'a picture of 150 MB': withMore({ name: 'word/media/image.png', content: megabytes(150) }),
  'twenty pictures of 15 MB': withMore(
    ...Array.from({ length: 20 }, (_, at) => ({ name: `word/media/${at}.png`, content: megabytes(15) })),
  ),
  'a document that says it is small': withDocument({ content: ' '.repeat(5_000_000), unpackedBytes: 10 }),
  'a document that says it is huge': withDocument({ unpackedBytes: 0xfffffffe }),
  'a document that says it needs no room': withDocument({ packedBytes: 0 }),
  'a document longer than the file': withDocument({ packedBytes: 0x7fffffff }),
  'a document behind the end': withDocument({ offset: 0x7fffffff }),
  'a document at the place of another': withDocument({ offset: 0 }),
  'a document that is encrypted': withDocument({ flags: 1 }),
  'a document packed in a way nobody knows': withDocument({ method: 99 }),
  'a document that is not packed': withDocument({ method: 0 }),
  'two documents': zipOf([types, document, document]),
  'a name that leads out of the folder': withMore({ name: '../../../../etc/passwd', content: 'x' }),
  'a name from the root': withMore({ name: '/etc/passwd', content: 'x' }),
  'a name of 60,000 letters': withMore({ name: 'a'.repeat(60_000), content: 'x' }),
  'a name with a zero': withMore({ name: 'word/document.xml\0.txt', content: 'x' }),
  'twenty thousand entries': zipOf([
    types,
    document,
    ...Array.from({ length: 20_000 }, (_, at) => ({ name: `e${at}`, content: '' })),
  ]),
  'entries on top of one another': zipOf([
    types,
    document,
    ...Array.from({ length: 5_000 }, (_, at) => ({ name: `o${at}`, content: 'x', offset: 0 })),
  ]),
  'a directory of more entries than there are': zipOf([types, document], { entries: 60_000 }),
  'a directory of fewer entries than there are': zipOf([types, document], { entries: 1 }),
  'a directory behind the end': zipOf([types, document], { directoryOffset: 0x7fffffff }),
  'a directory at the beginning': zipOf([types, document], { directoryOffset: 0 }),
  'a directory of four gigabytes': zipOf([types, document], { directoryBytes: 0xfffffffe }),
  'a directory of the larger kind that is not there': zipOf([types, document], {
    entries: 0xffff,
    directoryBytes: 0xffffffff,
    directoryOffset: 0xffffffff,
  }),
  'a comment that is an end': zipOf([types, document], { comment: `PK\x05\x06${'\0'.repeat(18)}` }),
  'an archive without its end': zipOf([types, document]).subarray(0, -30),
  'an archive without its beginning': zipOf([types, document]).subarray(30),
  'an archive in the middle of bytes': Buffer.concat([
    Buffer.alloc(1000),
    zipOf([types, document]),
    Buffer.alloc(1000),
  ]),
  'a PDF at its end': Buffer.concat([zipOf([types, document]), Buffer.from('%PDF-1.7\n%%EOF')]),
  'a macro': withMore({ name: 'word/vbaProject.bin', content: 'x' }),
  'five megabytes of beginnings': Buffer.from('PK\x03\x04'.repeat(1_250_000)),
  'five megabytes of ends': Buffer.from('PK\x05\x06'.repeat(1_250_000)),
}

const documents = {
  'nothing in the body': word(''),
  'text without paragraphs': word('Hello there'),
  'a hundred thousand elements in one another': word(nested(100_000, 'w:ins')),
  'six hundred elements in one another': word(nested(600, 'w:ins')),
  'tables in tables': word(
    nested(160, 'w:tbl><w:tr><w:tc').replaceAll('</w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'),
  ),
  'a hundred thousand empty paragraphs': word('<w:p/>'.repeat(300_000)),
  'a row of a hundred thousand cells': word(
    `<w:tbl><w:tr>${`<w:tc>${paragraphOf('x')}</w:tc>`.repeat(100_000)}</w:tr></w:tbl>`,
  ),
  'an element of a hundred thousand attributes': word(
    `<w:p ${Array.from({ length: 100_000 }, (_, at) => `a${at}="b"`).join(' ')}>${hello}</w:p>`,
  ),
  'an attribute of five megabytes': word(`<w:p a="${'b'.repeat(5_000_000)}"/>${hello}`),
  'a name of a megabyte': word(`<w:${'p'.repeat(1_000_000)}/>${hello}`),
  'an element without an end': word('<w:p><w:r><w:t>Hello'),
  'an end without an element': word('</w:p>Hello'),
  'a text that is five million references': word(paragraphOf('&#65;'.repeat(1_000_000))),
  'a reference to nothing': word(paragraphOf('&nothing;')),
  'a reference to zero': word(paragraphOf('&#0;Hello')),
  entities: withDocument({
    content: '<!DOCTYPE a [<!ENTITY b "Hello">]><w:document><w:body>&b;</w:body></w:document>',
  }),
  'bytes that are no text': withDocument({ content: Buffer.alloc(10_000, 0xff) }),
  'a text in UTF-16': withDocument({ content: Buffer.from('\ufeff<w:document/>', 'utf16le') }),
  'styles based on themselves': withMore(
    styles('<w:styles><w:style w:styleId="A"><w:basedOn w:val="A"/></w:style></w:styles>'),
  ),
  'styles based on one another': withMore(
    styles(
      `<w:styles>${Array.from({ length: 20_000 }, (_, at) => `<w:style w:styleId="s${at}"><w:basedOn w:val="s${at + 1}"/></w:style>`).join('')}</w:styles>`,
    ),
  ),
  'styles that are broken': withMore(styles('<w:styles><w:style')),
}

export function wordFiles(): HostileFile[] {
  return [...filesOf('docx', archives), ...filesOf('docx', documents)]
}
