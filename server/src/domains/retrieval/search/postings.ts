import type { Segment } from '../segments/index.ts'
import { grown, packTerms, TermTable } from '../segments/index.ts'
import { RowMemory } from '../wasm/index.ts'

/**
 * A view of a posting list: entries `start` to `end` (exclusive). For entry `i`, `pool[2 * i]` is the row and
 * `pool[2 * i + 1]` the packed frequencies (see segment.ts).
 */
export interface PostingView {
  pool: Uint32Array
  start: number
  end: number
}

const termsPerSlice = 500
/** Size of an entry: a row and its packed frequencies. */
const entryBytes = 8

/**
 * Posting lists of all terms in one memory. The list of a term has the rows (chunks) that contain it, ascending, with
 * packed frequencies. A full list moves to the end of the pool and gets more capacity. Removing rows rewrites the
 * pool without gaps.
 */
export class Postings {
  #terms = new TermTable()
  /** By term number, in pool entries of two words each. */
  #offsets: Uint32Array = new Uint32Array(64)
  #lengths: Uint32Array = new Uint32Array(64)
  #capacities: Uint32Array = new Uint32Array(64)
  /** The lists, and after them the encoded postings of the document that is being added. */
  #pool = new RowMemory()
  /** Used entries, and capacity of the pool in entries. */
  #used = 0
  #capacity = 0
  /** Cached term numbers of segments. */
  #resolved = new WeakMap<Segment, Uint32Array>()

  /** All terms by number, including terms that no row contains any more. If numbers change, this is a new object. */
  get terms(): TermTable {
    return this.#terms
  }

  /** The posting list of a term; undefined if no row contains it. */
  view(term: string): PostingView | undefined {
    const number = this.#terms.find(term)
    const view = number === undefined ? undefined : this.viewOf(number)
    return view && view.end > view.start ? view : undefined
  }

  viewOf(number: number): PostingView {
    const start = this.#offsets[number] ?? 0
    return { pool: this.#pool.integers, start, end: start + (this.#lengths[number] ?? 0) }
  }

  /** Reserves exactly the capacity for the segments that are added next, so that no list has to move. */
  reserve(segments: readonly Segment[]): void {
    for (const _ of this.reserveInSlices(segments));
  }

  /** Like `reserve`, but yields between slices of work. */
  *reserveInSlices(segments: readonly Segment[]): Generator<void> {
    for (const segment of segments) {
      this.#keep(segment, yield* this.#terms.resolveInSlices(segment.terms))
      yield
    }
    const wanted = this.#lengths.slice()
    for (const segment of segments) {
      const numbers = this.#resolve(segment)
      for (let index = 0; index < numbers.length; index++) {
        const number = numbers[index] as number
        wanted[number] = (wanted[number] as number) + (segment.counts[index] as number)
      }
      yield
    }
    let more = 0
    for (let number = 0; number < this.#terms.count; number++)
      more += this.#capacityToMove(number, wanted[number] as number)
    this.#grow(this.#used + more)
    yield
    for (let number = 0; number < this.#terms.count; number++) {
      const count = wanted[number] as number
      if (this.#capacityToMove(number, count) > 0) this.#move(number, count)
    }
  }

  /**
   * Appends the postings of a document. Its first chunk is row `from`, which must be larger than all existing rows.
   * Yields between slices of work; the lists must not be read before the last one.
   */
  *addInSlices(segment: Segment, from: number): Generator<void> {
    const { counts, postings } = segment
    const targets = this.#extendLists(this.#resolve(segment), counts)
    yield
    const [countsAt, targetsAt, postingsAt] = this.#copyInput(counts, targets, postings)
    const { decodePostings } = this.#pool.functions
    for (let term = 0, at = postingsAt; term < counts.length; term += termsPerSlice) {
      const terms = Math.min(termsPerSlice, counts.length - term)
      at = decodePostings(at, countsAt + 4 * term, targetsAt + 4 * term, terms, from)
      yield
    }
  }

  /** Extends the lists by `counts` entries; returns the addresses of the new entries in bytes. */
  #extendLists(numbers: Uint32Array, counts: Uint32Array): Uint32Array {
    const targets = new Uint32Array(numbers.length)
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] as number
      const length = this.#lengths[number] as number
      const wanted = length + (counts[index] as number)
      if (this.#capacityToMove(number, wanted) > 0)
        this.#move(number, Math.max(wanted, length + (length >> 1)))
      targets[index] = entryBytes * ((this.#offsets[number] as number) + length)
      this.#lengths[number] = wanted
    }
    return targets
  }

  /** Copies the input of `decodePostings` behind the lists; returns the addresses in bytes. */
  #copyInput(counts: Uint32Array, targets: Uint32Array, postings: Uint8Array): [number, number, number] {
    const countsAt = entryBytes * this.#capacity
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
   * Removes the rows `from` (inclusive) to `to` (exclusive); later rows get smaller numbers. O(all postings). If more
   * than half of all terms are unused, they are deleted, and the others get new numbers.
   */
  removeRows(from: number, to: number): void {
    const [old, offsets, oldLengths] = [this.#pool.integers, this.#offsets, this.#lengths]
    this.#pool = new RowMemory()
    this.#capacity = 0
    this.#grow(this.#used)
    const pool = this.#pool.integers
    const lengths = new Uint32Array(this.#terms.count)
    let [used, unused] = [0, 0]
    for (let term = 0; term < lengths.length; term++) {
      const start = used
      const end = (offsets[term] as number) + (oldLengths[term] as number)
      for (let entry = offsets[term] as number; entry < end; entry++) {
        const row = old[2 * entry] as number
        if (row >= from && row < to) continue
        pool[2 * used] = row < from ? row : row - (to - from)
        pool[2 * used + 1] = old[2 * entry + 1] as number
        used++
      }
      lengths[term] = used - start
      if (used === start) unused++
    }
    this.#used = used
    if (unused > lengths.length / 2) this.#deleteUnusedTerms(lengths)
    else this.#setLayout(lengths)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#pool.bytes.length + 3 * this.#offsets.byteLength + this.#terms.bytes
  }

  /** Deletes unused terms and renumbers the others. */
  #deleteUnusedTerms(lengths: Uint32Array): void {
    const used = [...lengths.keys()].filter((number) => lengths[number] !== 0)
    const table = new TermTable()
    table.resolve(packTerms(used.map((number) => this.#terms.term(number))))
    this.#terms = table
    this.#resolved = new WeakMap()
    const capacity = Math.max(64, table.count)
    this.#offsets = new Uint32Array(capacity)
    this.#lengths = new Uint32Array(capacity)
    this.#capacities = new Uint32Array(capacity)
    this.#setLayout(lengths.filter((length) => length !== 0))
  }

  /** Sets offsets for lists without gaps, in the order of their terms, without spare capacity. */
  #setLayout(lengths: Uint32Array): void {
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
    return this.#keep(segment, this.#terms.resolve(segment.terms))
  }

  #keep(segment: Segment, numbers: Uint32Array): Uint32Array {
    this.#resolved.set(segment, numbers)
    if (this.#terms.count > this.#offsets.length) {
      const capacity = 2 * this.#terms.count
      this.#offsets = grown(this.#offsets, capacity)
      this.#lengths = grown(this.#lengths, capacity)
      this.#capacities = grown(this.#capacities, capacity)
    }
    return numbers
  }

  /** Capacity that a list needs elsewhere if it has to move for `count` entries, otherwise 0. */
  #capacityToMove(number: number, count: number): number {
    return count > (this.#capacities[number] as number) ? count : 0
  }

  #move(number: number, capacity: number): void {
    const offset = this.#used
    const from = this.#offsets[number] as number
    if (offset + capacity > this.#capacity) this.#grow(Math.ceil(1.25 * (offset + capacity)))
    this.#used += capacity
    this.#pool.integers.copyWithin(2 * offset, 2 * from, 2 * (from + (this.#lengths[number] as number)))
    this.#offsets[number] = offset
    this.#capacities[number] = capacity
  }

  /** Grows the pool to at least `entries` entries in total. */
  #grow(entries: number): void {
    if (entries <= this.#capacity) return
    this.#capacity = entries
    this.#pool.reserve(entryBytes * entries)
  }
}
