import { outlineLevel } from './docx-styles.ts'
import { TextWriter } from './text-writer.ts'
import type { XmlEvents } from './xml-events.ts'

interface Paragraph {
  start: number
  level: number | undefined
}

/** Not for readers: text that was moved away, and the second form of what stands in a form for newer programs. */
const dropped = new Set(['w:moveFrom', 'mc:Fallback'])

/**
 * Handles the parts of a Word document that hold text, and writes it: paragraphs apart by an empty line, rows of
 * tables on one line, items of lists after a "- ". Deleted text and the codes of fields are elements of their own and
 * not read.
 */
export class DocxReader implements XmlEvents {
  readonly writer = new TextWriter()
  readonly #levels: ReadonlyMap<string, number>
  /** Open paragraphs: a text box stands inside one. */
  readonly #paragraphs: Paragraph[] = []
  #cells = 0
  #dropped = 0
  #isText = false

  constructor(levels: ReadonlyMap<string, number>) {
    this.#levels = levels
  }

  open({ name, attributes }: { name: string; attributes: Record<string, string> }): void {
    if (dropped.has(name)) this.#dropped++
    if (this.#dropped > 0) return
    const { writer } = this
    const value = attributes['w:val']
    const paragraph = this.#paragraphs.at(-1)
    if (name === 'w:p') this.#beginParagraph()
    else if (name === 'w:t') this.#isText = true
    else if (name === 'w:tab') writer.write(' ')
    else if (name === 'w:br' || name === 'w:cr') writer.breakLine()
    else if (name === 'w:noBreakHyphen') writer.write('-')
    else if (name === 'w:tr') writer.beginRow()
    else if (name === 'w:tc') this.#beginCell()
    else if (name === 'w:numPr' && paragraph?.level === undefined) writer.prefix('- ')
    else if (paragraph && name === 'w:pStyle') paragraph.level ??= this.#levels.get(value ?? '')
    else if (paragraph && name === 'w:outlineLvl') paragraph.level = outlineLevel(value)
  }

  text(text: string): void {
    if (this.#isText && this.#dropped === 0) this.writer.write(text)
  }

  close(name: string): void {
    if (this.#dropped > 0) {
      if (dropped.has(name)) this.#dropped--
    } else if (name === 'w:p') this.#endParagraph()
    else if (name === 'w:t') this.#isText = false
    else if (name === 'w:tc') this.#endCell()
    else if (name === 'w:tr') this.writer.endRow()
    else if (name === 'w:tbl') this.writer.breakLine(2)
  }

  #beginParagraph(): void {
    this.writer.breakLine(2)
    this.#paragraphs.push({ start: this.writer.length, level: undefined })
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    this.writer.prefix('')
    if (paragraph?.level !== undefined && this.#cells === 0)
      this.writer.endHeading(paragraph.start, paragraph.level)
    else this.writer.breakLine(2)
  }

  #beginCell(): void {
    this.#cells++
    this.writer.beginCell()
  }

  #endCell(): void {
    this.#cells--
    this.writer.endCell()
  }
}
