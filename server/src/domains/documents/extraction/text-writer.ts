import type { Heading } from './types.ts'

/** A longer row is not data but the layout of a page, so its blocks begin new lines. In UTF-16 code units. */
const maxRowLength = 500
/** A longer heading was not closed, so it is not a heading. */
const maxTitleLength = 300
/** Longer runs of empty lines or empty cells are truncated. */
const maxGapLength = 100

/**
 * Writes the text of a document from a parser's events. White space is collapsed, each block begins a new line, and a
 * table row is one line with " | " between its cells.
 */
export class TextWriter {
  readonly headings: Heading[] = []
  /** The written text in pieces. Reading one growing string would copy it each time. */
  readonly #pieces: string[] = []
  #length = 0
  /** White space and cell separators to write before the next text. */
  #gap = ''
  /** Text to write before the next text, on the same line. */
  #prefix = ''
  /** Number of open cells, including cells of outer tables. */
  #openCells = 0
  #cellsInRow = 0
  #rowStart = 0

  get text(): string {
    return this.#pieces.join('')
  }

  get length(): number {
    return this.#length
  }

  /** Offset of the next text. */
  get next(): number {
    return this.#length === 0 ? 0 : this.#length + this.#gap.length
  }

  /** Writes text and collapses its white space to single spaces. */
  write(text: string): void {
    const content = text.replace(/[ \t\r\n\f]+/g, ' ')
    if (content.startsWith(' ')) this.#space()
    const words = content.replace(/^ | $/g, '')
    if (words !== '') this.#put(words)
    if (content.endsWith(' ')) this.#space()
  }

  /** Writes preformatted text with its lines and spaces. */
  writeLines(text: string): void {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0 && this.#gap.length < maxGapLength) {
        this.#gap = `${this.#gap.trimStart() === '' ? this.#gap : ''}\n`
      }
      if (line.trim() !== '') this.#put(line)
      else if (index === 0 && line !== '') this.#space()
    }
  }

  /** Moves the next text at least `lines` lines down. In a table row, it only inserts a space. */
  breakLine(lines = 1): void {
    const isInRow = this.#openCells > 0 && this.#length - this.#rowStart < maxRowLength
    if (isInRow) this.#space()
    else this.#newLine(lines)
  }

  /** Writes `prefix` before the next text, on the same line; '' cancels an unused prefix. */
  prefix(prefix: string): void {
    this.#prefix = prefix
  }

  /** Begins a block that may become a heading; returns the `from` of `endHeading`. */
  beginHeading(): number {
    this.#newLine(2)
    return this.#length
  }

  endHeading(from: number, level: number): void {
    const content = this.#since(from)
    const title = content.trim()
    if (title !== '' && title.length <= maxTitleLength) {
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
    if (this.#cellsInRow++ === 0 || this.#gap.length >= maxGapLength) return
    const gap = this.#gap.replace(/ +$/, '')
    this.#gap = gap.includes('\n') ? `${gap}| ` : `${gap} | `
  }

  endCell(): void {
    this.#openCells = Math.max(0, this.#openCells - 1)
  }

  /** Ends a row; separators of empty cells at its end are dropped. */
  endRow(): void {
    this.#gap = ''
    this.#newLine(1)
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

  /**
   * The text since `from`, the offset of a piece. If it is much longer than a title, only its end is returned, which is
   * enough to see that it is too long.
   */
  #since(from: number): string {
    let content = ''
    for (let at = this.#pieces.length - 1; this.#length - content.length > from; at--) {
      content = `${this.#pieces[at]}${content}`
      if (content.length > 2 * maxTitleLength) break
    }
    return content
  }
}
