import { MarkerFilter } from './marker-filter.ts'

/** Characters that may precede a fence on its line, because quotes and list items can contain code. */
const beforeFence = /^[\s>*+\-\d.)]$/
/** The beginning of a line that may close a fence. */
const mayClose = /^[\s>]*[`~]*[ \t\r]*$/

/**
 * Backticks whose meaning is not yet known. They open code if the same number closes it on the same line; at the
 * beginning of a line they may also open a fence.
 */
interface MaybeCode {
  length: number
  mayBeFence: boolean
  /** The text since the backticks, original and filtered, from their first difference. */
  raw: string
  clean: string
  /** Numbers that were cited before the backticks. */
  citedBefore: ReadonlySet<number>
}

interface Fence {
  mark: string
  length: number
  /** The line so far, as long as it may close the fence. */
  line: string | undefined
}

/**
 * Filters a streamed answer so that every citation marker `[^N]` points into the context; see MarkerFilter. The
 * answer may be split anywhere. Only text that may be part of a marker is held back. Code between fences, or between
 * backticks on one line, is not changed.
 */
export class CitationGuard {
  readonly #filter: MarkerFilter
  #fence: Fence | undefined
  #code: MaybeCode | undefined
  /** The current run of backticks or tildes. */
  #run = { mark: '', length: 0, beginsLine: false }
  #isLineStart = true
  #isEscaped = false
  /** The first half of a surrogate pair at the end of the last piece. */
  #half = ''

  /** @param length number of context entries */
  constructor(length: number) {
    this.#filter = new MarkerFilter(length)
  }

  /** The numbers that the answer cites outside of code, in the order of their first occurrence. */
  get cited(): number[] {
    return [...this.#filter.cited]
  }

  /** Takes the next piece of the answer; returns the text that can be sent now. */
  feed(piece: string): string {
    let text = this.#half + piece
    this.#half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    if (this.#half) text = text.slice(0, -1)
    let out = ''
    for (const character of text) out += this.#take(character)
    return out
  }

  /** Call it at the end of the answer; returns the remaining text. */
  end(): string {
    let out = this.#half ? this.#take(this.#half) : ''
    if (this.#code) out += this.#decide(this.#run.length === this.#code.length)
    return this.#fence ? out : out + this.#filter.end()
  }

  #take(character: string): string {
    if (this.#fence) return this.#inFence(this.#fence, character)
    if (this.#code) return this.#inCode(this.#code, character)
    return this.#inText(character)
  }

  #inText(character: string): string {
    const { mark, length, beginsLine } = this.#run
    const isMark = !this.#isEscaped && (character === '`' || (character === '~' && this.#isLineStart))
    this.#isEscaped = character === '\\' && !this.#isEscaped
    if (length > 0 && character !== mark) {
      this.#run.length = 0
      if (mark === '`') return this.#open(length, beginsLine, character)
      if (length >= 3) return this.#openFence('~', length) + this.#take(character)
    }
    if (isMark || (length > 0 && character === mark)) this.#count(character)
    this.#isLineStart = character === '\n' || (this.#isLineStart && beforeFence.test(character))
    return this.#filter.feed(character)
  }

  #count(mark: string): void {
    const { length, beginsLine } = this.#run
    this.#run = { mark, length: length + 1, beginsLine: length === 0 ? this.#isLineStart : beginsLine }
  }

  #open(length: number, beginsLine: boolean, next: string): string {
    const citedBefore = new Set(this.#filter.cited)
    this.#code = { length, mayBeFence: beginsLine && length >= 3, raw: '', clean: '', citedBefore }
    return this.#inCode(this.#code, next)
  }

  #openFence(mark: string, length: number): string {
    this.#fence = { mark, length, line: undefined }
    return this.#filter.end()
  }

  /** Handles a character after backticks that may open code. */
  #inCode(code: MaybeCode, character: string): string {
    if (character !== '`' && this.#run.length > 0) {
      if (this.#run.length === code.length) return this.#decide(true) + this.#inText(character)
      this.#run.length = 0
      code.mayBeFence = false
    }
    if (character === '`') this.#run.length += 1
    if (character === '\n') return this.#endOfLine(code)
    code.raw += character
    code.clean += this.#filter.feed(character)
    if (!code.raw.startsWith(code.clean)) return ''
    const out = code.clean
    code.raw = code.raw.slice(out.length)
    code.clean = ''
    return out
  }

  #endOfLine({ mayBeFence, length }: MaybeCode): string {
    const out = this.#decide(mayBeFence)
    if (!mayBeFence) return out + this.#inText('\n')
    this.#fence = { mark: '`', length, line: '' }
    return `${out}\n`
  }

  /** Returns the text since the backticks: original if it was code, otherwise filtered. */
  #decide(isCode: boolean): string {
    const { raw = '', clean = '', citedBefore = new Set<number>() } = this.#code ?? {}
    this.#code = undefined
    this.#run.length = 0
    this.#isLineStart = false
    this.#isEscaped = false
    if (!isCode) return clean
    this.#filter.reset('`')
    for (const number of this.#filter.cited) if (!citedBefore.has(number)) this.#filter.cited.delete(number)
    return raw
  }

  #inFence(fence: Fence, character: string): string {
    if (character !== '\n') {
      const line = fence.line === undefined ? undefined : fence.line + character
      fence.line = line !== undefined && mayClose.test(line) ? line : undefined
      return character
    }
    const marks = fence.line?.replaceAll(/[\s>]/g, '') ?? ''
    if (marks.length >= fence.length && marks === fence.mark.repeat(marks.length)) {
      this.#fence = undefined
      this.#isLineStart = true
      this.#filter.reset('\n')
      return '\n'
    }
    fence.line = ''
    return '\n'
  }
}
