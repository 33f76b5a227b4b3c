import { filesOf, type HostileFile } from './file.ts'
import { nestedForms, onePage, packed, pdfOf, wideFont } from './pdf.ts'

const hello = 'BT /F1 12 Tf 50 700 Td (Hello there) Tj ET'
const simple = (entries: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${entries} >>`
const program = (kind: string, bytes: string | Uint8Array) =>
  onePage({
    font: `<< /Type /Font /Subtype /TrueType /BaseFont /Own /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>`,
    objects: [
      `<< /Type /FontDescriptor /FontName /Own /Flags 32 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 /${kind} 7 0 R >>`,
      { bytes },
    ],
  })

function toUnicode(map: string): Buffer {
  const head = '/CIDInit /ProcSet findresource begin 12 dict begin begincmap'
  return onePage({
    font: simple('/ToUnicode 6 0 R'),
    objects: [packed(`${head}\n${map}\nendcmap end end`)],
  })
}

const fonts: Record<string, Buffer> = {
  'widths of two thousand million': onePage(wideFont('/W [0 2000000000 500]')),
  'widths backwards': onePage(wideFont('/W [2000000000 0 500]')),
  'widths below zero': onePage(wideFont('/W [-2000000000 -1 500]')),
  'widths of words': onePage(wideFont('/W [(a) (b) (c)]')),
  'widths in widths': onePage(wideFont(`/W ${'['.repeat(5000)}${']'.repeat(5000)}`)),
  'vertical widths': onePage(wideFont('/W2 [0 2000000000 -1000 500 900]')),
  'widths by the million': onePage(wideFont(`/W [${'0 65535 500 '.repeat(400)}]`)),
  'default width of infinity': onePage(wideFont('/DW 1e400')),
  'map of characters of 200 MB': onePage({
    ...wideFont('/CIDToGIDMap 8 0 R'),
    objects: [...(wideFont('').objects ?? []), packed(Buffer.alloc(200 * 1024 * 1024))],
  }),
  'map of characters to itself': onePage(wideFont('/CIDToGIDMap 6 0 R')),
  'first character after the last': onePage({
    font: simple('/FirstChar 2000000000 /LastChar 0 /Widths [1]'),
  }),
  'last character of millions': onePage({ font: simple('/FirstChar 0 /LastChar 2000000000 /Widths [1]') }),
  'differences from two thousand million': onePage({
    font: simple('/Encoding << /Differences [2000000000 /a /b] >>'),
  }),
  'encoding that is the font': onePage({ font: simple('/Encoding 5 0 R') }),
  'font that is its own descendant': onePage({
    font: '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [5 0 R] >>',
  }),
  'font without anything': onePage({ font: '<< >>' }),
  'font that is a number': onePage({ font: '7' }),
  'font of an unknown map': onePage({
    ...wideFont(''),
    font: '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /No-Such-Map /DescendantFonts [6 0 R] >>',
  }),
  'font of a map that uses itself': onePage({
    ...wideFont(''),
    font: '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding 8 0 R /DescendantFonts [6 0 R] >>',
    objects: [
      ...(wideFont('').objects ?? []),
      { entries: '/Type /CMap /CMapName /Own /UseCMap 8 0 R', bytes: 'begincmap endcmap' },
    ],
  }),
  'unicode range of everything': toUnicode('1 beginbfrange <0000> <FFFFFFFF> <0041> endbfrange'),
  'unicode range of long texts': toUnicode(
    `1 beginbfrange <0000> <FFFF> <${'0041'.repeat(5000)}> endbfrange`,
  ),
  'unicode characters of long texts': toUnicode(`1 beginbfchar <48> <${'0041'.repeat(100_000)}> endbfchar`),
  'unicode map without an end': toUnicode('1 beginbfrange <0000'),
  'code ranges by the ten thousand': toUnicode(
    `1 begincodespacerange ${'<0000> <FFFF> '.repeat(20_000)} endcodespacerange`,
  ),
  'type 3 font that draws itself': onePage({
    font: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /H 6 0 R >> /Encoding << /Differences [72 /H] >> /FirstChar 72 /LastChar 72 /Widths [1] /Resources << /Font << /F1 5 0 R >> >> >>',
    objects: [{ bytes: 'BT /F1 12 Tf (H) Tj ET' }],
  }),
  'type 3 font with a matrix of zeros': onePage({
    font: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0 0 0 0 0 0] /CharProcs << >> /Encoding << /Differences [72 /H] >> /FirstChar 72 /LastChar 72 /Widths [1e308] >>',
  }),
  'true type program of zeros': program('FontFile2', Buffer.alloc(10_000)),
  'true type program of many tables': program(
    'FontFile2',
    `\x00\x01\x00\x00\xff\xff${'\xff'.repeat(50_000)}`,
  ),
  'open type program of nothing': program('FontFile3', 'OTTO'),
  'type 1 program without an end': program('FontFile', `%!PS-AdobeFont-1.0${' eexec'.repeat(1000)}`),
  'type 1 program of procedures in procedures': program(
    'FontFile',
    `%!PS-AdobeFont-1.0 ${'{'.repeat(100_000)}`,
  ),
}

const bomb = packed(Buffer.alloc(150 * 1024 * 1024, 0x20))
const streams: Record<string, Buffer> = {
  'content of 150 MB of blanks': onePage({ content: bomb }),
  'content packed ten times': onePage({ content: packed(hello, 10) }),
  'content packed a hundred times': onePage({ content: packed(hello, 100) }),
  'content packed in packed zeros': onePage({ content: packed(Buffer.alloc(50 * 1024 * 1024), 2) }),
  'content that is not packed': onePage({ content: { entries: '/Filter /FlateDecode', bytes: hello } }),
  'content cut off': onePage({
    content: { entries: '/Filter /FlateDecode', bytes: packed('x'.repeat(5000)).bytes.slice(0, 12) },
  }),
  'filter nobody knows': onePage({ content: { entries: '/Filter /NoSuch', bytes: hello } }),
  'filters by the thousand': onePage({
    content: { entries: `/Filter [${'/ASCIIHexDecode '.repeat(2000)}]`, bytes: hello },
  }),
  'LZW of one code': onePage({
    content: { entries: '/Filter /LZWDecode', bytes: Buffer.alloc(200_000, 0xff) },
  }),
  'run lengths without an end': onePage({
    content: { entries: '/Filter /RunLengthDecode', bytes: Buffer.alloc(400_000, 0x81) },
  }),
  'ASCII 85 of z': onePage({ content: { entries: '/Filter /ASCII85Decode', bytes: 'z'.repeat(1_000_000) } }),
  'predictor of huge rows': onePage({
    content: {
      entries: '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 /Colors 32 >>',
      bytes: packed(hello).bytes,
    },
  }),
  'predictor of rows below zero': onePage({
    content: {
      entries: '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns -5 >>',
      bytes: packed(hello).bytes,
    },
  }),
  'stream whose length is itself': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    '<< /Length 4 0 R >>\nstream\nBT ET\nendstream',
  ]),
  'stream with a length of two thousand million': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    '<< /Length 2000000000 >>\nstream\nBT ET\nendstream',
  ]),
  'contents by the thousand': onePage({ page: `/Contents [${'4 0 R '.repeat(5000)}]` }),
  'image of a thousand million points': onePage({
    content: '/X Do',
    resources: '/XObject << /X 6 0 R >>',
    objects: [
      {
        entries:
          '/Type /XObject /Subtype /Image /Width 50000 /Height 50000 /BitsPerComponent 16 /ColorSpace /DeviceCMYK',
        bytes: 'x',
      },
    ],
  }),
  'image in the content without an end': onePage({
    content: `BI /W 99999 /H 99999 ID ${'x'.repeat(10_000)}`,
  }),
  'fax of forty thousand million points as content': onePage({
    content: {
      entries: '/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 600000 >>',
      bytes: Buffer.alloc(100_000, 0xff),
    },
  }),
  'pattern that is painted with itself': onePage({
    content: '/Pattern cs /P scn 0 0 100 100 re f',
    resources: '/Pattern << /P 6 0 R >>',
    objects: [
      {
        entries:
          '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.0001 /YStep 0.0001 /Resources << /Pattern << /P 6 0 R >> >>',
        bytes: '/Pattern cs /P scn 0 0 1 1 re f',
      },
    ],
  }),
  'JPEG 2000 of nothing': onePage({
    content: '/X Do',
    resources: '/XObject << /X 6 0 R >>',
    objects: [
      { entries: '/Subtype /Image /Width 9 /Height 9 /Filter /JPXDecode', bytes: '\xff\x4f\xff\x51' },
    ],
  }),
}

const operators: Record<string, string> = {
  'save without an end': `${'q '.repeat(500_000)}${hello}`,
  'restore without a save': `${'Q '.repeat(500_000)}${hello}`,
  'string without an end': `BT /F1 12 Tf (${'a'.repeat(500_000)}`,
  'string of open parentheses': `BT /F1 12 Tf ${'('.repeat(200_000)}`,
  'array without an end': `BT /F1 12 Tf [${'(a) -100 '.repeat(100_000)}`,
  'array in arrays': `BT /F1 12 Tf ${'['.repeat(100_000)} TJ`,
  'dictionary in dictionaries': `${'<< /A '.repeat(50_000)}`,
  'letters a million places apart': `BT /F1 12 Tf ${'1e9 0 Td (a) Tj '.repeat(20_000)} ET`,
  'a million letters one by one': `BT /F1 1 Tf ${'(a) Tj '.repeat(150_000)} ET`,
  'numbers that are none': `BT /F1 1e999 Tf -- 700 Td (Hello there) Tj ET`,
  'size of zero': 'BT /F1 0 Tf 50 700 Td (Hello there) Tj ET',
  'size below zero': 'BT /F1 -1e30 Tf 50 700 Td (Hello there) Tj ET',
  'matrix of infinities': '1e308 1e308 1e308 1e308 1e308 1e308 cm BT /F1 12 Tf (Hello there) Tj ET',
  'font nobody has': 'BT /F9 12 Tf (Hello there) Tj ET',
  'operators nobody knows': `${'zz '.repeat(200_000)}${hello}`,
  'too many operands': `${'1 '.repeat(300_000)} Tj ${hello}`,
  'marked content without an end': `${'/P << /MCID 0 >> BDC '.repeat(50_000)}${hello}`,
  'hex string of odd length': 'BT /F1 12 Tf <484> Tj ET',
  'hex string of a megabyte': `BT /F1 12 Tf <${'48'.repeat(500_000)}> Tj ET`,
  'name of a megabyte': `/${'A'.repeat(1_000_000)} gs ${hello}`,
  'paths by the hundred thousand': `${'0 0 m 1 1 l S '.repeat(100_000)}${hello}`,
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const chainOfPages = (depth: number) =>
  pdfOf([
    catalog,
    ...Array.from({ length: depth }, (_, at) => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 >>`),
    `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 9 9] >>`,
  ])
const structure: Record<string, Buffer> = {
  'pages that hold themselves': pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  'pages that hold themselves twice': pdfOf([
    catalog,
    '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>',
  ]),
  'pages a thousand levels deep': chainOfPages(1000),
  'pages eight thousand levels deep': chainOfPages(8000),
  'two thousand million pages': pdfOf([catalog, '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
  'fewer than no pages': pdfOf([catalog, '<< /Type /Pages /Kids [] /Count -1 >>']),
  'one page a hundred thousand times': pdfOf([
    catalog,
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
  ]),
  'page that is its own parent': pdfOf([
    catalog,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 3 0 R >>',
  ]),
  'resources that are the page': onePage({ page: '/Resources 3 0 R' }),
  'no root': pdfOf([catalog], ''),
  'root that is a number': pdfOf(['7']),
  'root that refers to itself': pdfOf(['1 0 R']),
  'references in a circle': pdfOf(['2 0 R', '3 0 R', '1 0 R']),
  'dictionary in dictionaries': pdfOf([`${'<< /A '.repeat(20_000)}1${' >>'.repeat(20_000)}`]),
  'arrays in arrays': pdfOf([`${'['.repeat(50_000)}${']'.repeat(50_000)}`]),
  'outline that is its own child': onePage({
    catalog: '/Outlines 6 0 R',
    objects: ['<< /First 6 0 R /Last 6 0 R /Next 6 0 R /Title (a) /Count 1 >>'],
  }),
  'names in a circle': onePage({
    catalog: '/Names << /JavaScript 6 0 R /Dests 6 0 R >>',
    objects: ['<< /Kids [6 0 R 6 0 R] >>'],
  }),
  'annotations by the ten thousand': onePage({
    page: `/Annots [${'6 0 R '.repeat(30_000)}]`,
    objects: ['<< /Type /Annot /Subtype /Text /Rect [0 0 1 1] /Contents (a) >>'],
  }),
  'annotation that is its own parent': onePage({
    page: '/Annots [6 0 R]',
    catalog: '/AcroForm << /Fields [6 0 R] >>',
    objects: ['<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 1 1] /Parent 6 0 R /Kids [6 0 R] >>'],
  }),
  'structure tree in a circle': onePage({
    catalog: '/StructTreeRoot 6 0 R /MarkInfo << /Marked true >>',
    objects: ['<< /Type /StructTreeRoot /K [6 0 R] /ParentTree 6 0 R /Kids [6 0 R] >>'],
  }),
  'page labels in a circle': onePage({ catalog: '/PageLabels 6 0 R', objects: ['<< /Kids [6 0 R] >>'] }),
  'form that draws itself': onePage({
    content: '/X Do',
    resources: '/XObject << /X 6 0 R >>',
    objects: [
      {
        entries: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
        bytes: '/X Do /X Do',
      },
    ],
  }),
  'forms in forms, a thousand times over': nestedForms(10),
  'forms in forms, a million million times over': nestedForms(40),
  'media box of infinities': onePage({
    page: '/MediaBox [-1e308 -1e308 1e308 1e308] /UserUnit 1e300 /Rotate 91',
  }),
}

const encrypted = (entries: string) =>
  onePage({
    objects: [`<< /Filter /Standard ${entries} >>`],
    trailer: '/Root 1 0 R /Encrypt 6 0 R /ID [(a) (b)]',
  })
const keys = `/O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) /P -1`
const encryption: Record<string, Buffer> = {
  'encryption without keys': encrypted('/V 1 /R 2'),
  'encryption of a wrong password': encrypted(`/V 1 /R 2 ${keys}`),
  'encryption with a key of millions of bits': encrypted(`/V 2 /R 3 /Length 2000000000 ${keys}`),
  'encryption with a key of no bits': encrypted(`/V 2 /R 3 /Length 0 ${keys}`),
  'encryption nobody knows': encrypted(`/V 99 /R 99 ${keys}`),
  'encryption of AES 256 with short keys': encrypted(`/V 5 /R 6 /Length 256 ${keys}`),
  'encryption by a filter in a circle': encrypted(
    `/V 4 /R 4 ${keys} /CF << /StdCF 6 0 R >> /StmF /StdCF /StrF /StdCF`,
  ),
}

function withTrailer(text: string): Buffer {
  return Buffer.concat([onePage(), Buffer.from(text, 'latin1')])
}

const objectStream = (entries: string, bytes: string) =>
  pdfOf([
    catalog,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R >>',
    { entries: `/Type /ObjStm ${entries}`, bytes },
  ])
const xrefStream = (entries: string, bytes: string) => {
  const head = '%PDF-1.7\n'
  const body = `1 0 obj\n<< /Type /XRef /Root 1 0 R ${entries} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream\nendobj\n`
  return Buffer.from(`${head}${body}startxref\n${head.length}\n%%EOF\n`, 'latin1')
}
const tables: Record<string, Buffer | string> = {
  'nothing but a header': '%PDF-1.7\n',
  'a header and an end': '%PDF-1.7\nstartxref\n0\n%%EOF\n',
  'header of no version': '%PDF-\n%%EOF',
  'table far behind the end': withTrailer('startxref\n99999999999\n%%EOF\n'),
  'table before the beginning': withTrailer('startxref\n-5\n%%EOF\n'),
  'table of two thousand million entries': withTrailer(
    'xref\n0 2000000000\n0000000000 65535 f \ntrailer\n<< /Size 2000000000 /Root 1 0 R >>\nstartxref\n9\n%%EOF\n',
  ),
  'table from two thousand million on':
    '%PDF-1.7\nxref\n2000000000 1\n0000000000 00000 n \ntrailer\n<< /Size 2000000001 /Root 1 0 R >>\nstartxref\n9\n%%EOF\n',
  'table before itself':
    '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF\n',
  'table that is a stream of itself':
    '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /XRefStm 9 >>\nstartxref\n9\n%%EOF\n',
  'table stream of wide fields': xrefStream('/W [1000000 1000000 1000000] /Size 5', 'x'.repeat(100)),
  'table stream of no fields': xrefStream('/W [0 0 0] /Size 2000000000', 'x'),
  'table stream of fields below zero': xrefStream('/W [-1 2 1] /Size 5', 'x'.repeat(100)),
  'table stream of ranges of millions': xrefStream(
    '/W [1 2 1] /Index [0 2000000000] /Size 5',
    'x'.repeat(100),
  ),
  'table stream before itself': xrefStream('/W [1 2 1] /Size 1 /Prev 9', 'x'.repeat(4)),
  'object stream of two thousand million objects': objectStream('/N 2000000000 /First 10', '1 0 2 5 << >>'),
  'object stream of objects below zero': objectStream('/N -5 /First -10', '1 0 2 5 << >>'),
  'object stream that extends itself': objectStream('/N 1 /First 4 /Extends 4 0 R', '9 0 << >>'),
  'object stream in itself': objectStream('/N 1 /First 4', '4 0 << >>'),
  'object stream of 100 MB': pdfOf([
    catalog,
    '<< /Type /Pages /Kids [] /Count 0 >>',
    {
      entries: `/Type /ObjStm /N 1 /First 4 ${packed('').entries}`,
      bytes: packed(Buffer.alloc(100 * 1024 * 1024)).bytes,
    },
  ]),
  'objects by the hundred thousand without a table': `%PDF-1.7\n${Array.from({ length: 100_000 }, (_, at) => `${at} 0 obj\n<< /A ${at + 1} 0 R >>\nendobj\n`).join('')}`,
  'objects without ends': `%PDF-1.7\n${'1 0 obj << '.repeat(100_000)}`,
  'streams without ends': `%PDF-1.7\n${'1 0 obj << >> stream\n'.repeat(50_000)}`,
  'trailers by the ten thousand': `%PDF-1.7\n${'trailer << /Root 1 0 R >>\n'.repeat(50_000)}`,
  'a script': onePage({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
  'a program to launch': onePage({ catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' }),
  'an archive at its end': Buffer.concat([onePage(), Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1')]),
  'five megabytes of percent signs': `%PDF-1.7\n${'%'.repeat(5_000_000)}`,
  'five megabytes of open brackets': `%PDF-1.7\n1 0 obj\n${'['.repeat(5_000_000)}`,
  'five megabytes of zeros': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000_000)]),
}

export function pdfFiles(): HostileFile[] {
  const contents = Object.entries(operators).map(([what, content]) => [
    `content: ${what}`,
    onePage({ content }),
  ])
  return [
    ...filesOf('pdf', fonts),
    ...filesOf('pdf', streams),
    ...filesOf('pdf', Object.fromEntries(contents)),
    ...filesOf('pdf', structure),
    ...filesOf('pdf', encryption),
    ...filesOf('pdf', tables),
  ]
}
