/** Longer than any valid marker; a longer one is dropped. */
const maxMarkerLength = 64

/** Characters between `[^` and `]` of a marker: digits of any script, and separators of lists. */
const markerCharacter = /^[\p{Nd}\t ,;^]$/u
const digits = /\p{Nd}+/gu
/** A space before a dropped marker is dropped, too, if one of these characters follows. */
const needsNoSpace = /^[\s.,;:!?)]$/

/**
 * Filters text, character by character, so that every marker `[^N]` points into a list of `length` entries. Text that
 * may become a marker is held back. A marker with no valid number is dropped. A list (`[^0, 2]`) becomes one marker
 * per valid number.
 */
export class MarkerFilter {
  /** Numbers of the valid markers so far. */
  readonly cited = new Set<number>()
  readonly #length: number
  /** The beginning of a possible marker. */
  #held = ''
  /** A space that is held back until the next character. */
  #space = ''
  /** True if a marker was dropped after `#space`. */
  #isGap = false
  /** True inside the rest of a marker that was too long. */
  #isTooLong = false
  /** The last character of the output. */
  #last = ''

  constructor(length: number) {
    this.#length = length
  }

  /** Takes one character (a code point); returns the text that can be sent now. */
  feed(character: string): string {
    if (this.#isTooLong && (character === ']' || markerCharacter.test(character))) {
      this.#isTooLong = character !== ']'
      return ''
    }
    this.#isTooLong = false
    if (this.#held === '') return this.#plain(character)
    if (this.#held === '[') return this.#afterBracket(character)
    if (character === ']') return this.#close()
    if (character === '[') return this.#drop('[')
    if (!markerCharacter.test(character)) return this.#release() + this.#plain(character)
    this.#held += character
    if (this.#held.length <= maxMarkerLength) return ''
    this.#isTooLong = true
    return this.#drop()
  }

  /** Call it at the end of the text; returns the remaining text without an incomplete marker. */
  end(): string {
    if (this.#held.startsWith('[^')) this.#drop()
    if (this.#isGap && this.#held === '') this.#space = ''
    return this.#release()
  }

  /** Deletes the held text, because the caller has sent it unfiltered; `last` is its last character. */
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
    if (this.#isGap && needsNoSpace.test(character)) this.#space = ''
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

  /** Drops the held text. */
  #drop(next = ''): string {
    // Without a space, a bracket before the dropped marker and the text after it could form a new marker.
    if (this.#last === '[' && this.#space === '') this.#space = ' '
    this.#held = next
    this.#isGap = true
    return ''
  }

  /** Outputs the held text, which is not a marker. */
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
