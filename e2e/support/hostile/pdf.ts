import { deflateSync } from 'node:zlib'

/** An object of a PDF: its text, or a stream with the entries of its dictionary and its bytes. */
export type PdfObject = string | { entries?: string; bytes: Uint8Array | string }

function bodyOf(object: PdfObject): Buffer {
  if (typeof object === 'string') return Buffer.from(object, 'latin1')
  const bytes = Buffer.from(object.bytes as string, 'latin1')
  const head = `<< ${object.entries ?? ''} /Length ${bytes.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\nendstream')])
}

/** A PDF file of unchecked objects, whose numbers count from 1, with a valid cross-reference table. */
export function pdfOf(objects: readonly PdfObject[], trailer = '/Root 1 0 R'): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')]
  let length = pieces[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      bodyOf(object),
      Buffer.from('\nendobj\n'),
    ])
    const offset = length
    pieces.push(piece)
    length += piece.length
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(end)])
}

/** Deflates bytes this many times, at the fastest level, because some have 200 MB. */
export function packed(bytes: Uint8Array | string, times = 1): { entries: string; bytes: Uint8Array } {
  let result: Uint8Array = Buffer.from(bytes as string, 'latin1')
  for (let time = 0; time < times; time++) result = deflateSync(result, { level: 1 })
  return { entries: `/Filter [${'/FlateDecode '.repeat(times)}]`, bytes: result }
}

export interface OnePage {
  /** The font's object; by default Helvetica. */
  font?: string
  content?: string | { entries: string; bytes: Uint8Array | string }
  /** Additional entries of the page, and of its resources. */
  page?: string
  resources?: string
  catalog?: string
  /** Additional objects; the first is number 6. */
  objects?: readonly PdfObject[]
  trailer?: string
}

const usualFont = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/** A PDF with one page and the text "Hello there"; the given parts replace the default ones. */
export function onePage({
  font = usualFont,
  content,
  page = '',
  resources = '',
  ...rest
}: OnePage = {}): Buffer {
  const { catalog = '', objects = [], trailer } = rest
  const text = content ?? 'BT /F1 12 Tf 50 700 Td (Hello there) Tj ET'
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    typeof text === 'string' ? { bytes: text } : text,
    font,
    ...objects,
  ]
  return pdfOf(all, trailer)
}

/** A font with two bytes per character, whose descendant font has the given entries. */
export function wideFont(entries: string): Pick<OnePage, 'font' | 'objects' | 'content'> {
  return {
    font: '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    objects: [
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R ${entries} >>`,
      '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ],
    content: 'BT /F1 12 Tf 50 700 Td <00480065> Tj ET',
  }
}

/**
 * Form objects that each draw the next one twice, so the text of the last one is drawn 2 to the power of `depth`
 * times.
 */
export function nestedForms(depth: number): Buffer {
  const first = 6
  const objects = Array.from({ length: depth + 1 }, (_, level) => {
    const next = `/Resources << /Font << /F1 5 0 R >> /XObject << /X ${first + level + 1} 0 R >> >>`
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${next}`
    return { entries, bytes: level === depth ? 'BT /F1 1 Tf (x) Tj ET' : '/X Do /X Do' }
  })
  return onePage({ content: '/X Do', resources: `/XObject << /X ${first} 0 R >>`, objects })
}
