/** Where one term's postings lie in the pool, in pool entries of two words each. */
interface TermList {
  offset: number
  length: number
  capacity: number
}

/** A posting list seen during a search: entry `i` is (`pool[2 * i]` = row, `pool[2 * i + 1]` = packed frequencies). */
export interface PostingView {
  pool: Uint32Array
  start: number
  end: number
}

const termOverheadBytes = 120

/**
 * Posting lists of all terms in one growing typed array: for each term the rows (chunks) that hold it, ascending,
 * with a 32-bit payload. A list that is full moves to the end of the pool with double the room; removing rows
 * rewrites the pool without gaps.
 */
export class Postings {
  #lists = new Map<string, TermList>()
  #pool = new Uint32Array(1024)
  #used = 0
  #termCharacters = 0

  /** Appends a posting. Rows of one term must come in ascending order. */
  add(term: string, row: number, payload: number): void {
    const list = this.#lists.get(term) ?? this.#open(term)
    if (list.length === list.capacity) this.#grow(list)
    const at = 2 * (list.offset + list.length++)
    this.#pool[at] = row
    this.#pool[at + 1] = payload
  }

  view(term: string): PostingView | undefined {
    const list = this.#lists.get(term)
    if (!list) return undefined
    return { pool: this.#pool, start: list.offset, end: list.offset + list.length }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive) and moves the rows after them down. O(all postings). */
  removeRows(from: number, to: number): void {
    const pool = new Uint32Array(this.#pool.length)
    const lists = new Map<string, TermList>()
    let used = 0
    this.#termCharacters = 0
    for (const [term, list] of this.#lists) {
      const offset = used
      for (let entry = list.offset; entry < list.offset + list.length; entry++) {
        const row = this.#pool[2 * entry] ?? 0
        if (row >= from && row < to) continue
        pool[2 * used] = row < from ? row : row - (to - from)
        pool[2 * used + 1] = this.#pool[2 * entry + 1] ?? 0
        used++
      }
      if (used === offset) continue
      lists.set(term, { offset, length: used - offset, capacity: used - offset })
      this.#termCharacters += term.length
    }
    this.#lists = lists
    this.#used = used
    this.#pool = pool.slice(0, Math.max(1024, 2 * used))
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#pool.byteLength + this.#lists.size * termOverheadBytes + this.#termCharacters
  }

  #open(term: string): TermList {
    const list = { offset: this.#allocate(1), length: 0, capacity: 1 }
    this.#lists.set(term, list)
    this.#termCharacters += term.length
    return list
  }

  #grow(list: TermList): void {
    const offset = this.#allocate(2 * list.capacity)
    this.#pool.copyWithin(2 * offset, 2 * list.offset, 2 * (list.offset + list.length))
    list.offset = offset
    list.capacity *= 2
  }

  /** Reserves room for `entries` postings at the end of the pool. */
  #allocate(entries: number): number {
    const offset = this.#used
    this.#used += entries
    if (2 * this.#used > this.#pool.length) {
      const larger = new Uint32Array(Math.max(2 * this.#used, Math.ceil(this.#pool.length * 1.5)))
      larger.set(this.#pool)
      this.#pool = larger
    }
    return offset
  }
}
