import { assemblePdf } from './pdf.ts'

/** Documents of a given size, equal in each run: sentences whose word frequencies resemble prose. */

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')
const vocabulary = 20_000

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function wordOf(random: () => number): string {
  let number = Math.floor(vocabulary * random() ** 3)
  let word = ''
  do {
    word += syllables[number % syllables.length]
    number = Math.floor(number / syllables.length)
  } while (number > 0)
  return word
}

function sentenceOf(random: () => number): string {
  const words = Array.from({ length: 8 + Math.floor(random() * 14) }, () => wordOf(random))
  const text = words.join(' ')
  return `${text[0]?.toUpperCase()}${text.slice(1)}, ${Math.floor(random() * 2000)}.`
}

function paragraphOf(random: () => number): string {
  return Array.from({ length: 3 + Math.floor(random() * 5) }, () => sentenceOf(random)).join(' ')
}

/** ASCII Markdown of at most this many bytes, with a heading every twelve paragraphs and `marker` in the middle. */
export function sampleText(bytes: number, seed: number, marker: string): string {
  const random = randomNumbers(seed)
  const parts: string[] = []
  let length = 0
  let isMarked = false
  for (;;) {
    const heading = parts.length % 12 === 0 ? `## ${sentenceOf(random)}\n\n` : ''
    const mark: string = !isMarked && length > bytes / 2 ? `The ${marker} is here. ` : ''
    isMarked ||= mark !== ''
    const part = `${heading}${mark}${paragraphOf(random)}\n\n`
    if (length + part.length > bytes) return parts.join('')
    parts.push(part)
    length += part.length
  }
}

const linesOfPage = 44

/** The content stream of a page: a title, and lines of about ninety characters. */
function pageContent(random: () => number, marker: string): string {
  const words = `${marker} ${Array.from({ length: 12 }, () => paragraphOf(random)).join(' ')}`.split(' ')
  const lines: string[] = []
  for (let line = ''; lines.length < linesOfPage && words.length > 0; line = '') {
    while (line.length < 85 && words.length > 0) line += `${words.shift()} `
    lines.push(line.trimEnd())
  }
  const texts = lines.map((line) => `(${line}) Tj T*`).join('\n')
  return `BT /F1 16 Tf 72 770 Td (${sentenceOf(random).slice(0, 50)}) Tj ET\nBT /F1 10 Tf 15 TL 72 740 Td\n${texts}\nET`
}

/** A PDF with full pages of text; its middle page begins with `marker`. */
export function sampleReport(pages: number, seed: number, marker: string): Uint8Array<ArrayBuffer> {
  const random = randomNumbers(seed)
  const kids = Array.from({ length: pages }, (_, page) => `${4 + 2 * page} 0 R`).join(' ')
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (let page = 0; page < pages; page++) {
    const content = pageContent(random, page === Math.floor(pages / 2) ? marker : '')
    const resources = '/MediaBox [0 0 612 842] /Resources << /Font << /F1 3 0 R >> >>'
    bodies.push(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + 2 * page} 0 R >>`)
    bodies.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  return assemblePdf(bodies)
}
