import { Parser } from 'htmlparser2'
import { ExtractionError } from './errors.ts'
import { refuseDeepNesting } from './nesting.ts'
import { decodeText } from './plain-text.ts'
import { TextWriter } from './text-writer.ts'
import type { ExtractedDocument } from './types.ts'

const words = (list: string) => new Set(list.split(/\s+/))

/** Elements whose content is not text for readers. */
const skipped = words('script style svg template iframe object embed canvas audio video')

/** Elements that begin a new line, and elements that also have an empty line around them. */
const lineElements = words('br div li dt dd option tr section header footer nav main aside form caption')
const blockElements = words(
  'p ul ol dl table blockquote pre article address figure figcaption details summary fieldset hr body',
)

/** Larger than for other formats, because unclosed elements count as well. */
const maxHtmlDepth = 2000

/** Browsers also search only these first bytes for a charset declaration. */
const declarationBytes = 1024

/**
 * Extracts the visible text of an HTML page, without scripts, styles and drawings. Its headings are the title and h1 to
 * h6. The page is parsed as a stream of tags; nothing is executed or fetched.
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

/** Writes text and headings from the parser's events. */
class HtmlReader {
  readonly writer = new TextWriter()
  #depth = 0
  /** The skipped element, and the number of open elements with its name, including itself. */
  #skipping: { name: string; open: number } | undefined
  #preformatted = 0
  #headingStart = 0

  onopentag(name: string): void {
    refuseDeepNesting(++this.#depth, maxHtmlDepth)
    if (this.#skipping) {
      if (this.#skipping.name === name) this.#skipping.open++
    } else if (skipped.has(name)) this.#skipping = { name, open: 1 }
    else this.#open(name)
  }

  ontext(text: string): void {
    if (this.#skipping) return
    if (this.#preformatted > 0) this.writer.writeLines(text)
    else this.writer.write(text)
  }

  onclosetag(name: string): void {
    this.#depth--
    if (!this.#skipping) this.#close(name)
    else if (this.#skipping.name === name && --this.#skipping.open === 0) this.#skipping = undefined
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

/** 1 to 6 for a heading, 1 for the title of the page, undefined for other elements. */
function headingLevel(name: string): number | undefined {
  if (name === 'title') return 1
  return /^h[1-6]$/.test(name) ? Number(name[1]) : undefined
}
