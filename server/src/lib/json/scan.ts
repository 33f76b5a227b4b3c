/** Limits of a JSON text; past one of them scanning throws `TooMuchJson`. */
export interface JsonLimits {
  /** Objects and lists inside of one another. */
  depth: number
  /** Fields of one object. */
  fields: number
  /** Values in the whole text: texts, numbers, booleans, nulls, objects and lists. */
  values: number
  /** If given, an element of a list in the outermost object is an item, and an item over a limit is refused alone. */
  items?: ItemLimits
}

export interface ItemLimits {
  /** Values in the whole text; `values` then holds for each item. */
  allValues: number
  /** Makes the value that stands in the place of an item that is over a limit. */
  refuse: (limit: ItemLimit) => unknown
}

export type ItemLimit = 'depth' | 'fields' | 'values'

/** The text is over a limit. */
export class TooMuchJson extends Error {
  readonly limit: ItemLimit | 'allValues'

  constructor(limit: ItemLimit | 'allValues') {
    super(`over the limit of ${limit}`)
    this.limit = limit
  }
}

/** A stretch of the bytes. */
interface Range {
  from: number
  to: number
}

/** A text of more than a piece. */
interface LargeText extends Range {
  kind: 'text'
}

/** An object or list of more than a piece, and where it can be cut. */
export interface LargeContainer extends Range {
  kind: 'object' | 'list'
  pieces: Piece[]
}

/** An item that is over a limit. It is never parsed, so its grammar is not checked. */
interface RefusedItem extends Range {
  kind: 'refused'
  limit: ItemLimit
}

/** A value whose key has an escape, see `JsonScan`. */
interface ValueOfEscapedKey extends Range {
  kind: 'value'
}

/** A value that is not parsed in one go with those beside it. */
export type LargeValue = LargeText | LargeContainer | RefusedItem | ValueOfEscapedKey

/** Members that are parsed together; or a single large one, `from` where its key begins. */
interface Piece extends Range {
  large?: LargeValue
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Bytes of a text that are looked at one by one before the search for its end is handed to native code. */
const shortText = 48

/** The depth of a list of items, inside of the outermost object. */
const listDepth = 2

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** An object or list that is being scanned; reused for the next one of the same depth. */
class Frame {
  isObject = false
  from = 0
  /** Members that have ended. */
  members = 0
  /** Where the current member begins, and the members that have no piece yet. */
  memberFrom = 0
  openFrom = 0
  /** Where the colon of the current member is; -1 before it. */
  colonAt = -1
  /** The key of the current member has an escape. */
  hasEscapedKey = false
  /** Something stands behind the last comma. */
  hasToken = false
  large: LargeValue | undefined
  /** A member has been large. */
  hasLarge = false
  pieces: Piece[] = []

  begin(isObject: boolean, from: number): void {
    this.isObject = isObject
    this.from = from
    this.members = 0
    this.memberFrom = from + 1
    this.openFrom = from + 1
    this.colonAt = -1
    this.hasEscapedKey = false
    this.hasToken = false
    this.large = undefined
    this.hasLarge = false
    if (this.pieces.length > 0) this.pieces = []
  }
}

/**
 * Looks through a JSON text without parsing it: holds it against its limits, and finds where it can be cut into pieces
 * of about `pieceBytes`. It does not check the grammar within a piece: that is for whoever parses it.
 *
 * A member whose key has an escape is a piece of its own, however short it is: JSON.parse of V8 12.8 and later can take
 * such a key for one that it has seen in another text (https://github.com/nodejs/node/issues/63785).
 */
export class JsonScan {
  readonly #bytes: Uint8Array
  readonly #buffer: Buffer
  readonly #limits: JsonLimits
  readonly #pieceBytes: number
  readonly #frames: Frame[] = [new Frame()]
  #depth = 0
  #at = 0
  /** Where the text begins in whose middle the scan is; -1 outside of texts. */
  #textFrom = -1
  /** An escape was seen among the bytes of the text that were looked at one by one. */
  #hasEscape = false
  #values = 0
  /** Values before the current item. */
  #valuesBefore = 0
  /** The limit that the current item is over. */
  #refused: ItemLimit | undefined
  /** Objects and lists, in a refused item, that are open beyond the limit of depth. */
  #beyond = 0

  constructor(buffer: Buffer, limits: JsonLimits, pieceBytes: number) {
    this.#buffer = buffer
    this.#bytes = buffer
    this.#limits = limits
    this.#pieceBytes = pieceBytes
    this.#frame().begin(false, -1)
  }

  /**
   * Goes on for about so many bytes; true at the end.
   *
   * @throws TooMuchJson, or SyntaxError where brackets and commas cannot belong to JSON
   */
  step(steps: number): boolean {
    const end = this.#bytes.length
    for (let left = steps; left > 0 && this.#at < end; left--) {
      if (this.#textFrom !== -1) this.#readText()
      else this.#readToken()
    }
    return this.#at >= end
  }

  /** What is large in the whole text, when all of it is scanned; undefined when nothing is. */
  result(): LargeValue | undefined {
    if (this.#depth !== 0 || this.#textFrom !== -1) {
      throw this.#refused ? new TooMuchJson(this.#refused) : new SyntaxError('the text ends too early')
    }
    this.#endMember(this.#bytes.length)
    const [piece] = this.#frame().pieces
    return piece?.large
  }

  #frame(): Frame {
    return this.#frames[this.#depth] as Frame
  }

  #readToken(): void {
    const byte = this.#bytes[this.#at] as number
    switch (byte) {
      case quote:
        this.#frame().hasToken = true
        this.#textFrom = this.#at
        this.#hasEscape = false
        this.#at += 1
        return
      case openList:
      case openObject:
        this.#open(byte === openObject)
        return
      case closeList:
      case closeObject:
        this.#close(byte === closeObject)
        return
      case comma:
        if (this.#depth === 0) throw new SyntaxError('a comma outside of objects and lists')
        if (this.#beyond === 0) this.#endMember(this.#at)
        this.#at += 1
        return
      case colon: {
        const frame = this.#frame()
        if (frame.colonAt === -1) frame.colonAt = this.#at
        frame.hasToken = true
        this.#at += 1
        return
      }
      default:
        if (!isSpace(byte)) this.#frame().hasToken = true
        this.#at += 1
    }
  }

  /** Reads on in a text: a few bytes, or to the next quotation mark. */
  #readText(): void {
    const bytes = this.#bytes
    const soon = Math.min(this.#at + shortText, bytes.length)
    for (let at = this.#at; at < soon; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        this.#endText(at + 1)
        return
      }
      if (byte === backslash) {
        this.#hasEscape = true
        at += 1
      }
      this.#at = at + 1
    }
    if (this.#at < bytes.length) this.#skipText()
  }

  #skipText(): void {
    const found = this.#buffer.indexOf(quote, this.#at)
    if (found === -1) throw new SyntaxError('a text does not end')
    // Escaped by an odd number of backslashes; `#at` itself stands behind a whole character.
    let from = found
    while (from > this.#at && this.#bytes[from - 1] === backslash) from -= 1
    if ((found - from) % 2 === 0) this.#endText(found + 1)
    else this.#at = found + 1
  }

  #endText(to: number): void {
    const frame = this.#frame()
    if (frame.isObject && frame.colonAt === -1) {
      const isLong = to - this.#textFrom > shortText
      frame.hasEscapedKey =
        this.#hasEscape || (isLong && this.#buffer.subarray(this.#textFrom, to).includes(backslash))
    }
    if (to - this.#textFrom > this.#pieceBytes) {
      this.#setLarge(frame, { kind: 'text', from: this.#textFrom, to })
    }
    this.#textFrom = -1
    this.#at = to
  }

  #open(isObject: boolean): void {
    this.#frame().hasToken = true
    if (this.#depth === this.#limits.depth) {
      this.#exceed('depth')
      this.#beyond += 1
      this.#at += 1
      return
    }
    this.#depth += 1
    if (this.#depth === this.#frames.length) this.#frames.push(new Frame())
    this.#frame().begin(isObject, this.#at)
    this.#at += 1
  }

  #close(isObject: boolean): void {
    if (this.#beyond > 0) {
      this.#beyond -= 1
      this.#at += 1
      return
    }
    const frame = this.#frame()
    if (this.#depth === 0 || frame.isObject !== isObject) throw new SyntaxError('a bracket closes nothing')
    if (frame.hasToken || frame.members > 0) this.#endMember(this.#at)
    this.#addPiece(frame, this.#at)
    this.#at += 1
    this.#depth -= 1
    const { from, pieces, hasLarge } = frame
    if (this.#at - from <= this.#pieceBytes && !hasLarge) return
    frame.pieces = []
    this.#setLarge(this.#frame(), { kind: isObject ? 'object' : 'list', from, to: this.#at, pieces })
  }

  #setLarge(frame: Frame, large: LargeValue): void {
    // A key of a piece's size stays with its value, which is then parsed together with it.
    if (frame.large && frame.large.kind !== 'text') throw new SyntaxError('two values without a comma')
    frame.large = large
  }

  #endMember(end: number): void {
    const frame = this.#frame()
    if (!frame.hasToken) throw new SyntaxError('a value is missing')
    frame.members += 1
    this.#values += 1
    if (this.#depth === listDepth && this.#hasItems()) this.#endItem(frame, end)
    this.#checkCounts(frame)
    const large = this.#largeOf(frame, end)
    if (large) {
      frame.hasLarge = true
      this.#addPiece(frame, frame.memberFrom - 1)
      frame.pieces.push({ from: frame.memberFrom, to: end, large })
      frame.openFrom = end + 1
    } else if (end - frame.openFrom > this.#pieceBytes) {
      this.#addPiece(frame, end)
    }
    frame.memberFrom = end + 1
    frame.colonAt = -1
    frame.hasEscapedKey = false
    frame.hasToken = false
    frame.large = undefined
  }

  #largeOf({ large, hasEscapedKey, colonAt }: Frame, end: number): LargeValue | undefined {
    if (!hasEscapedKey || colonAt === -1 || (large && large.from > colonAt)) return large
    return { kind: 'value', from: colonAt + 1, to: end }
  }

  /** Makes a piece of the members that have none yet. */
  #addPiece(frame: Frame, end: number): void {
    if (frame.openFrom < end) frame.pieces.push({ from: frame.openFrom, to: end })
    frame.openFrom = end + 1
  }

  /** Whether the frames, of the depth of a list of items at least, are those of such a list. */
  #hasItems(): boolean {
    const [, outermost, list] = this.#frames
    return this.#limits.items !== undefined && outermost?.isObject === true && list?.isObject === false
  }

  #endItem(frame: Frame, end: number): void {
    this.#valuesBefore = this.#values
    if (!this.#refused) return
    frame.large = { kind: 'refused', from: frame.memberFrom, to: end, limit: this.#refused }
    this.#refused = undefined
  }

  #checkCounts(frame: Frame): void {
    const { fields, values, items } = this.#limits
    if (frame.isObject && frame.members > fields) this.#exceed('fields')
    if (this.#values - this.#valuesBefore > values) this.#exceed('values')
    if (items && this.#values > items.allValues) throw new TooMuchJson('allValues')
  }

  #exceed(limit: ItemLimit): void {
    if (this.#depth <= listDepth || !this.#hasItems()) throw new TooMuchJson(limit)
    this.#refused ??= limit
  }
}
