/** Minimal PDFs for tests, each with one feature. */

/** A text and its position on the page, in points from the lower left corner. */
export interface Placed {
  text: string
  x: number
  y: number
  size?: number
}

export interface SampleOptions {
  /** Entries of the catalogue dictionary, for example an OpenAction. */
  catalog?: string
  /** Entries of the page dictionary, for example annotations. */
  page?: string
  /** Further objects without their numbers; the first is object 6. */
  objects?: readonly string[]
}

/** A PDF with one page for each list of texts. */
export function samplePdf(pages: readonly (readonly Placed[])[], options: SampleOptions = {}): Uint8Array {
  const { catalog = '', page = '', objects = [] } = options
  const firstPage = 6 + objects.length
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< >>',
    '<< >>',
    ...objects,
    ...pages.flatMap((texts, index) => pageObjects(texts, firstPage + 2 * index, page)),
  ]
  return assemble(bodies)
}

function pageObjects(texts: readonly Placed[], number: number, entries: string): string[] {
  const content = texts
    .map(({ text, x, y, size = 11 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${quoted(text)}) Tj ET`)
    .join('\n')
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + 1} 0 R ${entries} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
}

function quoted(text: string): string {
  return text.replace(/[\\()]/g, (character) => `\\${character}`)
}

function assemble(bodies: readonly string[]): Uint8Array {
  let file = '%PDF-1.7\n'
  const offsets = bodies.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const start = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${entries}`
  file += `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return new Uint8Array(Buffer.from(file, 'latin1'))
}
