import { Parser } from 'htmlparser2'
import { ExtractionError } from './errors.ts'
import { refuseDeepNesting } from './nesting.ts'
import { decodeText } from './plain-text.ts'
import { TextWriter } from './text-writer.ts'
import type { ExtractedDocument } from './types.ts'

const words = (list: string) => new Set(list.split(/\s+/))

/** Elements whose content is not text for a reader. */
const dropped = words('script style svg template iframe object embed canvas audio video')

/** Elements that stand on lines of their own, and those with an empty line around them too. */
const lineElements = words('br div li dt dd option tr section header footer nav main aside form caption')
const blockElements = words(
  'p ul ol dl table blockquote pre article address figure figcaption details summary fieldset hr body',
)

/** More than in any other format: elements that nobody closed count too. */
const deepest = 2000

/** Within which a charset must be declared, as browsers have it. */
const declarationBytes = 1024

/**
 * What a reader of an HTML page would see, without scripts, styles and drawings; h1 to h6 and the title are its
 * headings. Read as a stream of tags: nothing is executed, and nothing is fetched.
 *
 * @throws ExtractionError
 */
export function extractHtml(bytes: Uint8Array): ExtractedDocument {
  const html = decodeText(bytes, declaredCharset(bytes))
  const reader = new HtmlReader()
  const parser = new Parser(reader, { decodeEntities: true, lowerCaseTags: true })
  parser.write(html)
  parser.end()
  const { text, headings } = reader.writer
  if (text.trim() === '') throw new ExtractionError('empty')
  return { text, pages: [], headings }
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(declarationBytes, bytes.byteLength))
  return /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head.toString('latin1'))?.[1]
}

/** Handles the parser's events. */
class HtmlReader {
  readonly writer = new TextWriter()
  #depth = 0
  /** The element being dropped, and how many of its name are open in it. */
  #dropping: { name: string; open: number } | undefined
  #preformatted = 0
  #headingStart = 0

  onopentag(name: string): void {
    refuseDeepNesting(++this.#depth, deepest)
    if (this.#dropping) {
      if (this.#dropping.name === name) this.#dropping.open++
    } else if (dropped.has(name)) this.#dropping = { name, open: 1 }
    else this.#open(name)
  }

  ontext(text: string): void {
    if (this.#dropping) return
    if (this.#preformatted > 0) this.writer.writeLines(text)
    else this.writer.write(text)
  }

  onclosetag(name: string): void {
    this.#depth--
    if (!this.#dropping) this.#close(name)
    else if (this.#dropping.name === name && --this.#dropping.open === 0) this.#dropping = undefined
  }

  #open(name: string): void {
    const { writer } = this
    if (headingLevel(name)) this.#headingStart = writer.beginHeading()
    else if (name === 'tr') writer.beginRow()
    else if (name === 'td' || name === 'th') writer.beginCell()
    else this.#breakAround(name)
    if (name === 'li') writer.prefix('- ')
    if (name === 'pre') this.#preformatted++
  }

  #close(name: string): void {
    const { writer } = this
    const level = headingLevel(name)
    if (level) writer.endHeading(this.#headingStart, level)
    else if (name === 'tr') writer.endRow()
    else if (name === 'td' || name === 'th') writer.endCell()
    else this.#breakAround(name)
    if (name === 'li') writer.prefix('')
    if (name === 'pre') this.#preformatted--
  }

  #breakAround(name: string): void {
    if (blockElements.has(name)) this.writer.breakLine(2)
    else if (lineElements.has(name)) this.writer.breakLine()
  }
}

/** 1 to 6 for a heading, 1 for the title of the page, else undefined. */
function headingLevel(name: string): number | undefined {
  if (name === 'title') return 1
  return /^h[1-6]$/.test(name) ? Number(name[1]) : undefined
}
