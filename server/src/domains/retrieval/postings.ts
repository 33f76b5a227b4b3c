import type { Segment } from './segment.ts'
import { grown, packTerms, TermTable } from './term-table.ts'

/** A posting list seen during a search: entry `i` is (`pool[2 * i]` = row, `pool[2 * i + 1]` = packed frequencies). */
export interface PostingView {
  pool: Uint32Array
  start: number
  end: number
}

const termsPerSlice = 500

/**
 * Posting lists of all terms in one typed array: for each term the rows (chunks) that hold it, ascending, with a
 * 32-bit payload. A list that is full moves to the end of the pool with more room; removing rows rewrites the pool
 * without gaps.
 */
export class Postings {
  #terms = new TermTable()
  /** By term number, in pool entries of two words each. */
  #offsets: Uint32Array = new Uint32Array(64)
  #lengths: Uint32Array = new Uint32Array(64)
  #capacities: Uint32Array = new Uint32Array(64)
  #pool: Uint32Array = new Uint32Array(1024)
  #used = 0
  /** The numbers of the terms of segments that room was made for. */
  #resolved = new WeakMap<Segment, Uint32Array>()

  /** All terms, by number; one that no row holds any more may be among them. Another table when numbers have changed. */
  get terms(): TermTable {
    return this.#terms
  }

  /** The list of a term that some row holds. */
  view(term: string): PostingView | undefined {
    const number = this.#terms.find(term)
    const view = number === undefined ? undefined : this.viewOf(number)
    return view && view.end > view.start ? view : undefined
  }

  viewOf(number: number): PostingView {
    const start = this.#offsets[number] ?? 0
    return { pool: this.#pool, start, end: start + (this.#lengths[number] ?? 0) }
  }

  /** Makes exactly the room that segments will take which are added next: no list then has to move. */
  reserve(segments: readonly Segment[]): void {
    for (const segment of segments) this.#resolve(segment)
    const wanted = this.#lengths.slice()
    for (const segment of segments) {
      const numbers = this.#resolve(segment)
      for (let index = 0; index < numbers.length; index++) {
        const number = numbers[index] as number
        wanted[number] = (wanted[number] as number) + (segment.counts[index] as number)
      }
    }
    let more = 0
    for (let number = 0; number < this.#terms.count; number++)
      more += this.#toMove(number, wanted[number] as number)
    this.#growPool(this.#used + more)
    for (let number = 0; number < this.#terms.count; number++) {
      const count = wanted[number] as number
      if (this.#toMove(number, count) > 0) this.#move(number, count)
    }
  }

  /**
   * Appends the postings of a document whose first chunk is row `from`, behind all rows before it; with pauses, in which
   * the lists must not be read.
   */
  *addInSlices(segment: Segment, from: number): Generator<void> {
    const numbers = this.#resolve(segment)
    let entry = 0
    for (let term = 0; term < numbers.length; term += termsPerSlice) {
      yield
      entry = this.#addTerms(segment, from, numbers, term, entry)
    }
  }

  /** A slice of terms from `term` on, whose entries begin at `entry`; answers where the next slice's begin. */
  #addTerms(segment: Segment, from: number, numbers: Uint32Array, term: number, entry: number): number {
    const { counts, rows, payloads } = segment
    const until = Math.min(numbers.length, term + termsPerSlice)
    let next = entry
    for (let index = term; index < until; index++) {
      const number = numbers[index] as number
      const length = this.#lengths[number] as number
      const end = next + (counts[index] as number)
      const wanted = length + end - next
      if (this.#toMove(number, wanted) > 0) this.#move(number, Math.max(wanted, length + (length >> 1)))
      const pool = this.#pool
      let at = 2 * ((this.#offsets[number] as number) + length)
      for (; next < end; next++) {
        pool[at++] = from + (rows[next] as number)
        pool[at++] = payloads[next] as number
      }
      this.#lengths[number] = wanted
    }
    return next
  }

  add(segment: Segment, from: number): void {
    for (const _ of this.addInSlices(segment, from));
  }

  /**
   * Takes out rows `from` (inclusive) to `to` (exclusive) and moves the rows after them down. O(all postings). Terms
   * that no row holds any more are forgotten when they are more than half of all: then the others get new numbers.
   */
  removeRows(from: number, to: number): void {
    const [old, offsets, held] = [this.#pool, this.#offsets, this.#lengths]
    const pool = new Uint32Array(Math.max(1024, 2 * this.#used))
    const lengths = new Uint32Array(this.#terms.count)
    let [used, dead] = [0, 0]
    for (let term = 0; term < lengths.length; term++) {
      const start = used
      const end = (offsets[term] as number) + (held[term] as number)
      for (let entry = offsets[term] as number; entry < end; entry++) {
        const row = old[2 * entry] as number
        if (row >= from && row < to) continue
        pool[2 * used] = row < from ? row : row - (to - from)
        pool[2 * used + 1] = old[2 * entry + 1] as number
        used++
      }
      lengths[term] = used - start
      if (used === start) dead++
    }
    this.#used = used
    this.#pool = pool.slice(0, Math.max(1024, 2 * used))
    if (dead > lengths.length / 2) this.#forget(lengths)
    else this.#layOut(lengths)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#pool.byteLength + 3 * this.#offsets.byteLength + this.#terms.bytes
  }

  /** Numbers the terms anew that are still held. */
  #forget(lengths: Uint32Array): void {
    const kept = [...lengths.keys()].filter((number) => lengths[number] !== 0)
    const table = new TermTable()
    table.resolve(packTerms(kept.map((number) => this.#terms.term(number))))
    this.#terms = table
    this.#resolved = new WeakMap()
    const room = Math.max(64, table.count)
    this.#offsets = new Uint32Array(room)
    this.#lengths = new Uint32Array(room)
    this.#capacities = new Uint32Array(room)
    this.#layOut(lengths.filter((length) => length !== 0))
  }

  /** Lists that lie behind one another in the order of their terms, without room to grow. */
  #layOut(lengths: Uint32Array): void {
    let offset = 0
    for (const [number, length] of lengths.entries()) {
      this.#offsets[number] = offset
      this.#lengths[number] = length
      this.#capacities[number] = length
      offset += length
    }
  }

  #resolve(segment: Segment): Uint32Array {
    const known = this.#resolved.get(segment)
    if (known) return known
    const numbers = this.#terms.resolve(segment.terms)
    this.#resolved.set(segment, numbers)
    if (this.#terms.count > this.#offsets.length) {
      const room = 2 * this.#terms.count
      this.#offsets = grown(this.#offsets, room)
      this.#lengths = grown(this.#lengths, room)
      this.#capacities = grown(this.#capacities, room)
    }
    return numbers
  }

  /** Entries that are to move when a list is to hold `count`: all of them, or none. */
  #toMove(number: number, count: number): number {
    return count > (this.#capacities[number] as number) ? count : 0
  }

  #move(number: number, capacity: number): void {
    const offset = this.#used
    const from = this.#offsets[number] as number
    if (2 * (offset + capacity) > this.#pool.length) this.#growPool(Math.ceil(1.25 * (offset + capacity)))
    this.#used += capacity
    this.#pool.copyWithin(2 * offset, 2 * from, 2 * (from + (this.#lengths[number] as number)))
    this.#offsets[number] = offset
    this.#capacities[number] = capacity
  }

  /** Makes room for that many entries in all. */
  #growPool(entries: number): void {
    if (2 * entries > this.#pool.length) this.#pool = grown(this.#pool, 2 * entries)
  }
}
