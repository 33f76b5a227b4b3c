import type { Segment } from '../segments/index.ts'
import { grown, packTerms, TermTable } from '../segments/index.ts'
import { RowMemory } from '../wasm/index.ts'

/** A posting list seen during a search: entry `i` is (`pool[2 * i]` = row, `pool[2 * i + 1]` = packed frequencies). */
export interface PostingView {
  pool: Uint32Array
  start: number
  end: number
}

const termsPerSlice = 500
/** A row and its packed frequencies. */
const entryBytes = 8

/**
 * Posting lists of all terms in one memory: for each term the rows (chunks) that hold it, ascending, with its packed
 * frequencies there. A list that is full moves to the end of the pool with more room; removing rows rewrites the pool
 * without gaps.
 */
export class Postings {
  #terms = new TermTable()
  /** By term number, in pool entries of two words each. */
  #offsets: Uint32Array = new Uint32Array(64)
  #lengths: Uint32Array = new Uint32Array(64)
  #capacities: Uint32Array = new Uint32Array(64)
  /** The lists; behind them, what one document's postings are unpacked from. */
  #pool = new RowMemory()
  /** Entries that lists take, and those there is room for. */
  #used = 0
  #room = 0
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
    return { pool: this.#pool.integers, start, end: start + (this.#lengths[number] ?? 0) }
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
    this.#makeRoom(this.#used + more)
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
    const { counts, postings } = segment
    const targets = this.#lengthen(this.#resolve(segment), counts)
    yield
    const [countsAt, targetsAt, postingsAt] = this.#stage(counts, targets, postings)
    const { decodePostings } = this.#pool.functions
    for (let term = 0, at = postingsAt; term < counts.length; term += termsPerSlice) {
      const terms = Math.min(termsPerSlice, counts.length - term)
      at = decodePostings(at, countsAt + 4 * term, targetsAt + 4 * term, terms, from)
      yield
    }
  }

  /** Makes lists longer by `counts`, and answers the addresses where what is new in them begins. */
  #lengthen(numbers: Uint32Array, counts: Uint32Array): Uint32Array {
    const targets = new Uint32Array(numbers.length)
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] as number
      const length = this.#lengths[number] as number
      const wanted = length + (counts[index] as number)
      if (this.#toMove(number, wanted) > 0) this.#move(number, Math.max(wanted, length + (length >> 1)))
      targets[index] = entryBytes * ((this.#offsets[number] as number) + length)
      this.#lengths[number] = wanted
    }
    return targets
  }

  /** Puts what is unpacked behind the lists, and answers where. */
  #stage(counts: Uint32Array, targets: Uint32Array, postings: Uint8Array): [number, number, number] {
    const countsAt = entryBytes * this.#room
    const targetsAt = countsAt + counts.byteLength
    const postingsAt = targetsAt + targets.byteLength
    this.#pool.reserve(postingsAt + postings.length)
    this.#pool.integers.set(counts, countsAt / 4)
    this.#pool.integers.set(targets, targetsAt / 4)
    this.#pool.bytes.set(postings, postingsAt)
    return [countsAt, targetsAt, postingsAt]
  }

  add(segment: Segment, from: number): void {
    for (const _ of this.addInSlices(segment, from));
  }

  /**
   * Takes out rows `from` (inclusive) to `to` (exclusive) and moves the rows after them down. O(all postings). Terms
   * that no row holds any more are forgotten when they are more than half of all: then the others get new numbers.
   */
  removeRows(from: number, to: number): void {
    const [old, offsets, held] = [this.#pool.integers, this.#offsets, this.#lengths]
    this.#pool = new RowMemory()
    this.#room = 0
    this.#makeRoom(this.#used)
    const pool = this.#pool.integers
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
    if (dead > lengths.length / 2) this.#forget(lengths)
    else this.#layOut(lengths)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#pool.bytes.length + 3 * this.#offsets.byteLength + this.#terms.bytes
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
    if (offset + capacity > this.#room) this.#makeRoom(Math.ceil(1.25 * (offset + capacity)))
    this.#used += capacity
    this.#pool.integers.copyWithin(2 * offset, 2 * from, 2 * (from + (this.#lengths[number] as number)))
    this.#offsets[number] = offset
    this.#capacities[number] = capacity
  }

  /** Makes room for that many entries in all. */
  #makeRoom(entries: number): void {
    if (entries <= this.#room) return
    this.#room = entries
    this.#pool.reserve(entryBytes * entries)
  }
}
