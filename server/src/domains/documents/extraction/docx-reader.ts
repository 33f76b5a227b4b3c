import { outlineLevel } from './docx-styles.ts'
import { TextWriter } from './text-writer.ts'
import type { XmlEvents } from './xml-events.ts'

interface Paragraph {
  start: number
  level: number | undefined
}

/**
 * Elements to skip: the old position of moved text, and the alternative content for older programs, which is a
 * duplicate.
 */
const skipped = new Set(['w:moveFrom', 'mc:Fallback'])

/**
 * Writes the text of a Word document from the XML events of its parts: an empty line between paragraphs, one line per
 * table row, "- " before list items. Deleted text and field codes are in other elements, which are not read.
 */
export class DocxReader implements XmlEvents {
  readonly writer = new TextWriter()
  readonly #levels: ReadonlyMap<string, number>
  /** The open paragraphs. A text box nests paragraphs in a paragraph. */
  readonly #paragraphs: Paragraph[] = []
  #cells = 0
  #skipDepth = 0
  #isText = false

  constructor(levels: ReadonlyMap<string, number>) {
    this.#levels = levels
  }

  open({ name, attributes }: { name: string; attributes: Record<string, string> }): void {
    if (skipped.has(name)) this.#skipDepth++
    if (this.#skipDepth > 0) return
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
    if (this.#isText && this.#skipDepth === 0) this.writer.write(text)
  }

  close(name: string): void {
    if (this.#skipDepth > 0) {
      if (skipped.has(name)) this.#skipDepth--
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
