import type { Heading } from './types.ts'

/** A row longer than this is no row of data but a page laid out with a table: its blocks get lines of their own. */
const longestRow = 500
/** What is longer is no heading, but a heading that was never closed. */
const longestTitle = 300
/** Of longer runs of empty lines or cells the rest is left out. */
const longestGap = 100

/**
 * Writes the text of a document that comes in pieces and blocks: white space is collapsed, blocks stand on lines of
 * their own, rows of tables on one line, their cells apart by " | ".
 */
export class TextWriter {
  readonly headings: Heading[] = []
  /** What is written, as it came: a long text that is looked at while it grows would be copied each time. */
  readonly #pieces: string[] = []
  #length = 0
  /** What will stand between what is written and what comes. */
  #gap = ''
  /** What will stand before what comes, on its line. */
  #prefix = ''
  /** Cells that are open, of a table and of the tables around it. */
  #openCells = 0
  #cellsInRow = 0
  #rowStart = 0

  get text(): string {
    return this.#pieces.join('')
  }

  get length(): number {
    return this.#length
  }

  /** Where the text that comes next will stand. */
  get next(): number {
    return this.#length === 0 ? 0 : this.#length + this.#gap.length
  }

  /** Running text: its white space becomes single spaces. */
  write(text: string): void {
    const content = text.replace(/[ \t\r\n\f]+/g, ' ')
    if (content.startsWith(' ')) this.#space()
    const words = content.replace(/^ | $/g, '')
    if (words !== '') this.#put(words)
    if (content.endsWith(' ')) this.#space()
  }

  /** Preformatted text: its lines and spaces stay. */
  writeLines(text: string): void {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0 && this.#gap.length < longestGap) {
        this.#gap = `${this.#gap.trimStart() === '' ? this.#gap : ''}\n`
      }
      if (line.trim() !== '') this.#put(line)
      else if (index === 0 && line !== '') this.#space()
    }
  }

  /** What comes stands at least `lines` lines lower; in a row of a table, apart by a space. */
  breakLine(lines = 1): void {
    const isInRow = this.#openCells > 0 && this.#length - this.#rowStart < longestRow
    if (isInRow) this.#space()
    else this.#newLine(lines)
  }

  /** `prefix` stands before the text that comes next, on its line; '' takes it back when none came. */
  prefix(prefix: string): void {
    this.#prefix = prefix
  }

  /** Begins a block that may turn out to be a heading; `endHeading` takes what this gives. */
  beginHeading(): number {
    this.#newLine(2)
    return this.#length
  }

  endHeading(from: number, level: number): void {
    const content = this.#since(from)
    const title = content.trim()
    if (title !== '' && title.length <= longestTitle) {
      this.headings.push({ start: from + content.length - content.trimStart().length, level, title })
    }
    this.#newLine(2)
  }

  beginRow(): void {
    this.#newLine(1)
    this.#cellsInRow = 0
    this.#rowStart = this.#length
  }

  beginCell(): void {
    this.#openCells++
    if (this.#cellsInRow++ === 0 || this.#gap.length >= longestGap) return
    const gap = this.#gap.replace(/ +$/, '')
    this.#gap = gap.includes('\n') ? `${gap}| ` : `${gap} | `
  }

  endCell(): void {
    this.#openCells = Math.max(0, this.#openCells - 1)
  }

  /** Ends a row or a table; the marks of empty cells at its end are dropped. */
  endRow(lines = 1): void {
    this.#gap = ''
    this.#newLine(lines)
  }

  #newLine(lines: number): void {
    const before = this.#gap.split('\n').length - 1
    this.#gap = '\n'.repeat(Math.max(before, lines))
  }

  #space(): void {
    if (this.#gap === '') this.#gap = ' '
  }

  #put(text: string): void {
    const piece = (this.#length === 0 ? '' : this.#gap) + this.#prefix + text
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#gap = ''
    this.#prefix = ''
  }

  /** What was written since an offset at which a piece begins, or as much of its end as shows that it is no title. */
  #since(from: number): string {
    let content = ''
    for (let at = this.#pieces.length - 1; this.#length - content.length > from; at--) {
      content = `${this.#pieces[at]}${content}`
      if (content.length > 2 * longestTitle) break
    }
    return content
  }
}
