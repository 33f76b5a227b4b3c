/** Limits of a JSON text. Scanning throws `TooMuchJson` above a limit. */
export interface JsonLimits {
  /** Nesting depth of objects and lists. */
  depth: number
  /** Fields of one object. */
  fields: number
  /** Values in the whole text: texts, numbers, booleans, nulls, objects and lists. */
  values: number
  /** If set, each element of a list in the outermost object is an item, and an item over a limit is rejected alone. */
  items?: ItemLimits
}

export interface ItemLimits {
  /** Values in the whole text; `values` then applies to each item. */
  allValues: number
  /** Creates the value that replaces an item over a limit. */
  refuse: (limit: ItemLimit) => unknown
}

export type ItemLimit = 'depth' | 'fields' | 'values'

/** The text exceeds a limit. */
export class TooMuchJson extends Error {
  readonly limit: ItemLimit | 'allValues'

  constructor(limit: ItemLimit | 'allValues') {
    super(`over the limit of ${limit}`)
    this.limit = limit
  }
}

/** A range of bytes. */
interface Range {
  from: number
  to: number
}

/** A text that is larger than a piece. */
interface LargeText extends Range {
  kind: 'text'
}

/** An object or list that is larger than a piece, and the places where it can be cut. */
export interface LargeContainer extends Range {
  kind: 'object' | 'list'
  pieces: Piece[]
}

/** An item over a limit. It is never parsed, so its grammar is not checked. */
interface RefusedItem extends Range {
  kind: 'refused'
  limit: ItemLimit
}

/** A value that is parsed separately from its neighbours. */
export type LargeValue = LargeText | LargeContainer | RefusedItem

/** Members that are parsed together, or a single large member; `from` is the start of the first key. */
interface Piece extends Range {
  large?: LargeValue
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Number of bytes of a text that are checked one by one before native code searches for its end. */
const shortText = 48

/** The depth of a list of items in the outermost object. */
const listDepth = 2

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** An object or list during the scan; reused for the next one at the same depth. */
class Frame {
  isObject = false
  from = 0
  /** Number of complete members. */
  members = 0
  /** Start of the current member, and the members that are not in a piece yet. */
  memberFrom = 0
  openFrom = 0
  /** There is a token after the last comma. */
  hasToken = false
  large: LargeValue | undefined
  /** At least one member was large. */
  hasLarge = false
  pieces: Piece[] = []

  begin(isObject: boolean, from: number): void {
    this.isObject = isObject
    this.from = from
    this.members = 0
    this.memberFrom = from + 1
    this.openFrom = from + 1
    this.hasToken = false
    this.large = undefined
    this.hasLarge = false
    if (this.pieces.length > 0) this.pieces = []
  }
}

/**
 * Scans a JSON text without parsing it: checks its limits, and finds places to cut it into pieces of about
 * `pieceBytes`. It does not check the grammar within a piece, because the parser does.
 */
export class JsonScan {
  readonly #bytes: Uint8Array
  readonly #buffer: Buffer
  readonly #limits: JsonLimits
  readonly #pieceBytes: number
  readonly #frames: Frame[] = [new Frame()]
  #depth = 0
  #at = 0
  /** Start of the text that is being scanned; -1 outside of texts. */
  #textFrom = -1
  #values = 0
  /** Values before the current item. */
  #valuesBefore = 0
  /** The limit that the current item has exceeded. */
  #refused: ItemLimit | undefined
  /** Number of open objects and lists beyond the depth limit, in a rejected item. */
  #beyond = 0

  constructor(buffer: Buffer, limits: JsonLimits, pieceBytes: number) {
    this.#buffer = buffer
    this.#bytes = buffer
    this.#limits = limits
    this.#pieceBytes = pieceBytes
    this.#frame().begin(false, -1)
  }

  /**
   * Scans about `steps` more bytes; returns true at the end.
   *
   * @throws TooMuchJson, or SyntaxError if brackets and commas cannot be part of JSON
   */
  step(steps: number): boolean {
    const end = this.#bytes.length
    for (let left = steps; left > 0 && this.#at < end; left--) {
      if (this.#textFrom !== -1) this.#readText()
      else this.#readToken()
    }
    return this.#at >= end
  }

  /** The large parts of the text, after the scan is complete; undefined if there are none. */
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
      default:
        if (!isSpace(byte)) this.#frame().hasToken = true
        this.#at += 1
    }
  }

  /** Continues in a text: a few bytes, or up to the next quotation mark. */
  #readText(): void {
    const bytes = this.#bytes
    const soon = Math.min(this.#at + shortText, bytes.length)
    for (let at = this.#at; at < soon; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        this.#endText(at + 1)
        return
      }
      if (byte === backslash) at += 1
      this.#at = at + 1
    }
    if (this.#at < bytes.length) this.#skipText()
  }

  #skipText(): void {
    const found = this.#buffer.indexOf(quote, this.#at)
    if (found === -1) throw new SyntaxError('a text does not end')
    // The quote is escaped by an odd number of backslashes. `#at` is after a complete character.
    let from = found
    while (from > this.#at && this.#bytes[from - 1] === backslash) from -= 1
    if ((found - from) % 2 === 0) this.#endText(found + 1)
    else this.#at = found + 1
  }

  #endText(to: number): void {
    const frame = this.#frame()
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
    // A key as large as a piece stays with its value; both are parsed together.
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
    const { large } = frame
    if (large) {
      frame.hasLarge = true
      this.#addPiece(frame, frame.memberFrom - 1)
      frame.pieces.push({ from: frame.memberFrom, to: end, large })
      frame.openFrom = end + 1
    } else if (end - frame.openFrom > this.#pieceBytes) {
      this.#addPiece(frame, end)
    }
    frame.memberFrom = end + 1
    frame.hasToken = false
    frame.large = undefined
  }

  /** Makes a piece from the members that are not in one yet. */
  #addPiece(frame: Frame, end: number): void {
    if (frame.openFrom < end) frame.pieces.push({ from: frame.openFrom, to: end })
    frame.openFrom = end + 1
  }

  /** Whether the frames down to the depth of an item list belong to such a list. */
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
