/** More than any marker needs; what is longer is nonsense, of which nothing is kept. */
const longestMarker = 64

/** What may stand between `[^` and `]` in something that is meant as a marker: digits of any script, and lists. */
const inside = /^[\p{Nd}\t ,;^]$/u
const digits = /\p{Nd}+/gu
/** A space before a dropped marker goes with it when one of these follows. */
const leansLeft = /^[\s.,;:!?)]$/

/**
 * Lets text through, one character after another, in which every marker `[^N]` points into a list of that length.
 * What could still become a marker is held back. A marker that points elsewhere is dropped; a list (`[^0, 2]`) becomes
 * one marker for each number that points inside.
 */
export class MarkerFilter {
  /** Numbers of the markers that were let through. */
  readonly cited = new Set<number>()
  readonly #length: number
  /** The beginning of a marker. */
  #held = ''
  /** A space that waits for what follows it. */
  #space = ''
  /** A marker was dropped behind that space. */
  #isGap = false
  /** In the rest of a marker that was too long to be held. */
  #isTooLong = false
  /** The last character that was let through. */
  #last = ''

  constructor(length: number) {
    this.#length = length
  }

  /** Takes one character (a code point) and answers what may go out now. */
  feed(character: string): string {
    if (this.#isTooLong && (character === ']' || inside.test(character))) {
      this.#isTooLong = character !== ']'
      return ''
    }
    this.#isTooLong = false
    if (this.#held === '') return this.#plain(character)
    if (this.#held === '[') return this.#afterBracket(character)
    if (character === ']') return this.#close()
    if (character === '[') return this.#drop('[')
    if (!inside.test(character)) return this.#release() + this.#plain(character)
    this.#held += character
    if (this.#held.length <= longestMarker) return ''
    this.#isTooLong = true
    return this.#drop()
  }

  /** What is left when nothing more comes; half a marker is none. */
  end(): string {
    if (this.#held.startsWith('[^')) this.#drop()
    if (this.#isGap && this.#held === '') this.#space = ''
    return this.#release()
  }

  /** Forgets what is held: it went out by another way, `last` at its end. */
  reset(last: string): void {
    this.#held = ''
    this.#space = ''
    this.#isGap = false
    this.#isTooLong = false
    this.#last = last
  }

  #plain(character: string): string {
    if (character === '[') {
      this.#held = '['
      return ''
    }
    if (this.#isGap && leansLeft.test(character)) this.#space = ''
    if (character !== ' ') return this.#out(character)
    const before = this.#out('')
    this.#space = ' '
    return before
  }

  #afterBracket(character: string): string {
    if (character !== '^') return this.#release() + this.#plain(character)
    this.#held = '[^'
    return ''
  }

  #close(): string {
    const numbers = this.#held.match(digits)
    if (!numbers) return this.#release() + this.#plain(']')
    this.#held = ''
    const inRange = numbers
      .filter((text) => /^[0-9]+$/.test(text))
      .map(Number)
      .filter((n) => n < this.#length)
    if (inRange.length === 0) return this.#drop()
    for (const number of inRange) this.cited.add(number)
    return this.#out([...new Set(inRange)].map((number) => `[^${number}]`).join(''))
  }

  /** Drops what is held. */
  #drop(next = ''): string {
    // Else the bracket before it and the text behind it would make another marker.
    if (this.#last === '[' && this.#space === '') this.#space = ' '
    this.#held = next
    this.#isGap = true
    return ''
  }

  /** Lets go what was held: it is no marker. */
  #release(): string {
    const text = this.#held
    this.#held = ''
    return this.#out(text)
  }

  #out(text: string): string {
    const all = this.#space + text
    this.#space = ''
    this.#isGap = false
    this.#last = all.at(-1) ?? this.#last
    return all
  }
}
