import { MarkerFilter } from './marker-filter.ts'

/** What may stand before a fence on its line: quotes and items of lists hold code as well. */
const beforeFence = /^[\s>*+\-\d.)]$/
/** A line that may still turn out to close a fence. */
const mayClose = /^[\s>]*[`~]*[ \t\r]*$/

/** Backticks that open code if as many close it on the same line, or a fence if they begin the line. */
interface MaybeCode {
  length: number
  mayBeFence: boolean
  /** What came since, and the same filtered, from the first difference on. */
  raw: string
  clean: string
  citedBefore: ReadonlySet<number>
}

interface Fence {
  mark: string
  length: number
  /** The line so far, as long as it may close the fence. */
  line: string | undefined
}

/**
 * Lets an answer through in which every citation marker `[^N]` points into the context; see MarkerFilter. Pieces may
 * come apart in any place: nothing is held back but what could still be a marker that must not go out. Code between
 * fences, or between backticks on one line, is left as it is.
 */
export class CitationGuard {
  readonly #filter: MarkerFilter
  #fence: Fence | undefined
  #code: MaybeCode | undefined
  /** Backticks or tildes in a row. */
  #run = { mark: '', length: 0, beginsLine: false }
  #isLineStart = true
  #isEscaped = false
  /** The first half of a character that a piece ended with. */
  #half = ''

  /** `length` is the number of context entries. */
  constructor(length: number) {
    this.#filter = new MarkerFilter(length)
  }

  /** The numbers that the answer has cited outside of code, in the order of their first mention. */
  get cited(): number[] {
    return [...this.#filter.cited]
  }

  /** Takes the next piece of the answer and answers what may go out now. */
  feed(piece: string): string {
    let text = this.#half + piece
    this.#half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    if (this.#half) text = text.slice(0, -1)
    let out = ''
    for (const character of text) out += this.#take(character)
    return out
  }

  /** What is left at the end of the answer. */
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

  /** Between backticks, which may yet turn out to be nothing but backticks. */
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

  /** What came since the backticks was code, or it was not. */
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
