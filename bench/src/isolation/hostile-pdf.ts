import { deflateSync } from 'node:zlib'
import { assemblePdf } from '../support/pdf.ts'

const frame = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>']

function page(resources: string): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << ${resources} >> >>`
}

function stream(content: string, dictionary = ''): string {
  return `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function deflated(content: Buffer, dictionary = ''): string {
  return stream(deflateSync(content, { level: 9 }).toString('latin1'), `/Filter /FlateDecode ${dictionary}`)
}

const text = 'BT /F1 12 Tf 50 700 Td <00410042> Tj ET'

/** A page with a composite font. `entries` are added to the font's dictionary, and `more` are objects from 8 on. */
function compositeFont(
  entries: string,
  encoding = 'Identity-H',
  more: string[] = [],
): Uint8Array<ArrayBuffer> {
  const info = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  const box = '/FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80'
  return assemblePdf([
    ...frame,
    page('/Font << /F1 5 0 R >>'),
    stream(text),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica ${info} /FontDescriptor 7 0 R ${entries} >>`,
    `<< /Type /FontDescriptor /FontName /Helvetica /Flags 4 ${box} >>`,
    ...more,
  ])
}

/** Nested forms; each form draws the next one `times` times. */
function nestedForms(levels: number, times: number): Uint8Array<ArrayBuffer> {
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 600 800]'
  const forms = Array.from({ length: levels }, (_, level) => {
    const isLast = level === levels - 1
    const resources = isLast
      ? '/Resources << /Font << /F1 5 0 R >> >>'
      : `/Resources << /XObject << /X ${7 + level} 0 R >> >>`
    return stream(
      isLast ? 'BT /F1 12 Tf 50 700 Td (a) Tj ET' : '/X Do '.repeat(times),
      `${form} ${resources}`,
    )
  })
  return assemblePdf([
    ...frame,
    page('/Font << /F1 5 0 R >> /XObject << /X 6 0 R >>'),
    stream('/X Do'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...forms,
  ])
}

const mib = 1024 * 1024
const longString = () =>
  Buffer.concat([
    Buffer.from('BT /F1 12 Tf 50 700 Td ('),
    Buffer.alloc(100 * mib, 'a'),
    Buffer.from(') Tj ET'),
  ])

/** Small files that make a careless PDF reader use all memory or much time. */
export const hostilePdfs = {
  widths: () => compositeFont('/W [0 2000000000 500]'),
  verticalWidths: () => compositeFont('/W2 [0 2000000000 -1000 250 772]', 'Identity-V'),
  manyWidths: () => compositeFont('/W [0 50000000 500]'),
  longString: () =>
    assemblePdf([
      ...frame,
      page('/Font << /F1 5 0 R >>'),
      deflated(longString()),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ]),
  glyphMap: () => compositeFont('/CIDToGIDMap 8 0 R', 'Identity-H', [deflated(Buffer.alloc(300 * mib))]),
  nestedForms: () => nestedForms(9, 10),
}
