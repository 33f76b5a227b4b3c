import type { Segment } from './segment.ts'

/** A posting list seen during a search: entry `i` is (`pool[2 * i]` = row, `pool[2 * i + 1]` = packed frequencies). */
export interface PostingView {
  pool: Uint32Array
  start: number
  end: number
}

const termOverheadBytes = 80

/**
 * Posting lists of all terms in one typed array: for each term the rows (chunks) that hold it, ascending, with a
 * 32-bit payload. A term's number is its place in the order of first occurrence. A list that is full moves to the end
 * of the pool with more room; removing rows rewrites the pool without gaps.
 */
export class Postings {
  #numbers = new Map<string, number>()
  #terms: string[] = []
  /** By term number, in pool entries of two words each. */
  #offsets: Uint32Array = new Uint32Array(64)
  #lengths: Uint32Array = new Uint32Array(64)
  #capacities: Uint32Array = new Uint32Array(64)
  #pool: Uint32Array = new Uint32Array(1024)
  #used = 0
  #termCharacters = 0
  #generation = 0

  /** Raised when terms get new numbers. */
  get generation(): number {
    return this.#generation
  }

  /** All terms by number; one that no row holds any more may be among them. */
  get terms(): readonly string[] {
    return this.#terms
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term)
  }

  /** The list of a term that some row holds. */
  view(term: string): PostingView | undefined {
    const number = this.#numbers.get(term)
    const view = number === undefined ? undefined : this.viewOf(number)
    return view && view.end > view.start ? view : undefined
  }

  viewOf(number: number): PostingView {
    const start = this.#offsets[number] ?? 0
    return { pool: this.#pool, start, end: start + (this.#lengths[number] ?? 0) }
  }

  /** Makes exactly the room that segments will take which are added next: no list then has to move. */
  reserve(segments: readonly Segment[]): void {
    const wanted: number[] = []
    for (const { terms, counts } of segments) {
      for (const [index, term] of terms.entries()) {
        const number = this.#open(term)
        wanted[number] = (wanted[number] ?? this.#lengths[number] ?? 0) + (counts[index] ?? 0)
      }
    }
    const more = wanted.reduce((sum, count, number) => sum + this.#missing(number, count), 0)
    this.#growPool(this.#used + more)
    for (const [number, count] of wanted.entries()) {
      if (count !== undefined && this.#missing(number, count) > 0) this.#move(number, count)
    }
  }

  /** Appends the postings of a document whose first chunk is row `from`, behind all rows before it. */
  add(segment: Segment, from: number): void {
    const { terms, counts, rows, payloads } = segment
    let entry = 0
    for (const [index, term] of terms.entries()) {
      const number = this.#open(term)
      const length = this.#lengths[number] ?? 0
      const end = entry + (counts[index] ?? 0)
      const wanted = length + end - entry
      if (this.#missing(number, wanted) > 0) this.#move(number, Math.max(wanted, length + (length >> 1)))
      let at = 2 * ((this.#offsets[number] ?? 0) + length)
      for (; entry < end; entry++) {
        this.#pool[at++] = from + (rows[entry] ?? 0)
        this.#pool[at++] = payloads[entry] ?? 0
      }
      this.#lengths[number] = wanted
    }
  }

  /**
   * Takes out rows `from` (inclusive) to `to` (exclusive) and moves the rows after them down. O(all postings). Terms
   * that no row holds any more are forgotten when they are more than half of all: then the others get new numbers.
   */
  removeRows(from: number, to: number): void {
    const old = { terms: this.#terms, offsets: this.#offsets, lengths: this.#lengths, pool: this.#pool }
    const pool = new Uint32Array(Math.max(1024, 2 * this.#used))
    const lengths = new Uint32Array(old.terms.length)
    let [used, dead] = [0, 0]
    for (let term = 0; term < lengths.length; term++) {
      const start = used
      const end = (old.offsets[term] ?? 0) + (old.lengths[term] ?? 0)
      for (let entry = old.offsets[term] ?? 0; entry < end; entry++) {
        const row = old.pool[2 * entry] ?? 0
        if (row >= from && row < to) continue
        pool[2 * used] = row < from ? row : row - (to - from)
        pool[2 * used + 1] = old.pool[2 * entry + 1] ?? 0
        used++
      }
      lengths[term] = used - start
      if (used === start) dead++
    }
    this.#used = used
    this.#pool = pool.slice(0, Math.max(1024, 2 * used))
    this.#relist(old.terms, lengths, dead > old.terms.length / 2)
  }

  /** Lists that lie behind one another in the order of their terms, without room to grow. */
  #relist(terms: readonly string[], lengths: Uint32Array, forgets: boolean): void {
    if (forgets) this.#clear()
    let offset = 0
    for (const [index, term] of terms.entries()) {
      const length = lengths[index] ?? 0
      if (forgets && length === 0) continue
      const number = this.#open(term)
      this.#offsets[number] = offset
      this.#lengths[number] = length
      this.#capacities[number] = length
      offset += length
    }
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const columns = 3 * this.#offsets.byteLength
    return this.#pool.byteLength + columns + this.#terms.length * termOverheadBytes + 2 * this.#termCharacters
  }

  #clear(): void {
    this.#generation++
    this.#numbers = new Map()
    this.#terms = []
    this.#termCharacters = 0
    this.#offsets = new Uint32Array(64)
    this.#lengths = new Uint32Array(64)
    this.#capacities = new Uint32Array(64)
  }

  #open(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#terms.length
    this.#numbers.set(term, number)
    this.#terms.push(term)
    this.#termCharacters += term.length
    if (number === this.#offsets.length) {
      this.#offsets = grown(this.#offsets, 2 * number)
      this.#lengths = grown(this.#lengths, 2 * number)
      this.#capacities = grown(this.#capacities, 2 * number)
    }
    return number
  }

  /** Entries for which a list has to move, when it is to hold `count`. */
  #missing(number: number, count: number): number {
    return count > (this.#capacities[number] ?? 0) ? count : 0
  }

  #move(number: number, capacity: number): void {
    const offset = this.#used
    const from = this.#offsets[number] ?? 0
    if (2 * (offset + capacity) > this.#pool.length) this.#growPool(Math.ceil(1.25 * (offset + capacity)))
    this.#used += capacity
    this.#pool.copyWithin(2 * offset, 2 * from, 2 * (from + (this.#lengths[number] ?? 0)))
    this.#offsets[number] = offset
    this.#capacities[number] = capacity
  }

  /** Makes room for that many entries in all. */
  #growPool(entries: number): void {
    if (2 * entries > this.#pool.length) this.#pool = grown(this.#pool, 2 * entries)
  }
}

function grown(array: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length)
  larger.set(array)
  return larger
}
