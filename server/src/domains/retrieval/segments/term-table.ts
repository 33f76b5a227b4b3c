/** Terms as UTF-8, one after the other: term `i` has the bytes `ends[i - 1]` (0 for the first term) to `ends[i]`. */
export interface TermBytes {
  bytes: Uint8Array
  ends: Uint32Array
}

export function packTerms(terms: readonly string[]): TermBytes {
  const ends = new Uint32Array(terms.length)
  let end = 0
  for (const [index, term] of terms.entries()) {
    end += Buffer.byteLength(term)
    ends[index] = end
  }
  return { bytes: new Uint8Array(Buffer.from(terms.join(''))), ends }
}

export function unpackTerms({ bytes, ends }: TermBytes): string[] {
  return Array.from(ends, (end, index) => textOf(bytes, index === 0 ? 0 : (ends[index - 1] as number), end))
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

/** Terms per slice, which take about a millisecond. */
const termsPerSlice = 4096

/**
 * Numbers terms in the order of their first occurrence. It is a hash table over bytes and makes no strings, because
 * most of the time of loading an index is the lookup of every term of every document.
 */
export class TermTable {
  /**
   * Slots of two numbers: the hash of a term, and its number + 1, or 0 for an empty slot. Collisions use linear
   * probing.
   */
  #slots = new Uint32Array(2 * 128)
  #ends = new Uint32Array(64)
  #bytes = new Uint8Array(1024)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Memory in bytes. */
  get bytes(): number {
    return this.#slots.byteLength + this.#ends.byteLength + this.#bytes.byteLength
  }

  term(number: number): string {
    return textOf(this.#bytes, this.#start(number), this.#ends[number] as number)
  }

  /** Number of code points of a term, which is at most its `length` as a string. */
  lengthOf(number: number): number {
    let count = 0
    for (let at = this.#start(number); at < (this.#ends[number] as number); at++) {
      if (((this.#bytes[at] as number) & 0xc0) !== 0x80) count++
    }
    return count
  }

  /** The number of a term, if it has one. */
  find(term: string): number | undefined {
    const bytes = new Uint8Array(Buffer.from(term))
    const slot = this.#slotOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))
    const found = this.#slots[slot + 1] as number
    return found === 0 ? undefined : found - 1
  }

  /** Returns the numbers of the terms; new terms get the next numbers. */
  resolve(terms: TermBytes): Uint32Array {
    const slices = this.resolveInSlices(terms)
    for (;;) {
      const { done, value } = slices.next()
      if (done) return value
    }
  }

  /** Like `resolve`, but yields between slices of work. */
  *resolveInSlices({ bytes, ends }: TermBytes): Generator<void, Uint32Array> {
    const numbers = new Uint32Array(ends.length)
    let start = 0
    for (let index = 0; index < ends.length; index++) {
      if (index % termsPerSlice === termsPerSlice - 1) yield
      const end = ends[index] as number
      numbers[index] = this.#findOrAdd(bytes, start, end)
      start = end
    }
    return numbers
  }

  #findOrAdd(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const slot = this.#slotOf(bytes, start, end, hash)
    const found = this.#slots[slot + 1] as number
    if (found !== 0) return found - 1
    const number = this.#count++
    this.#slots[slot] = hash
    this.#slots[slot + 1] = this.#count
    this.#append(bytes, start, end, number)
    if (4 * this.#count > this.#slots.length) this.#rehash()
    return number
  }

  /** Index of the term's slot, or of the empty slot for it. */
  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 2
    let slot = (2 * hash) & mask
    for (let found = slots[slot + 1] as number; found !== 0; found = slots[slot + 1] as number) {
      if (slots[slot] === hash && this.#equals(found - 1, bytes, start, end)) return slot
      slot = (slot + 2) & mask
    }
    return slot
  }

  #equals(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#start(number)
    const known = this.#bytes
    if ((this.#ends[number] as number) - own !== end - start) return false
    for (let at = start, other = own; at < end; at++, other++) if (known[other] !== bytes[at]) return false
    return true
  }

  #start(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #append(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (number === this.#ends.length) this.#ends = grown(this.#ends, 2 * number)
    const from = this.#start(number)
    const to = from + end - start
    if (to > this.#bytes.length) {
      const larger = new Uint8Array(2 * to)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    for (let at = start; at < end; at++) this.#bytes[from + at - start] = bytes[at] as number
    this.#ends[number] = to
  }

  #rehash(): void {
    const old = this.#slots
    const slots = new Uint32Array(2 * old.length)
    const mask = slots.length - 2
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue
      const hash = old[from] as number
      let slot = (2 * hash) & mask
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
      slots[slot] = hash
      slots[slot + 1] = old[from + 1] as number
    }
    this.#slots = slots
  }
}

export function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length)
  larger.set(array)
  return larger
}

/**
 * Random odd factors and a random start. With known ones, a file could have a hundred thousand terms with the same hash,
 * and adding them would take minutes.
 */
const [seed, first, second, third] = randomFactors()

function randomFactors(): [number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = crypto.getRandomValues(new Uint32Array(4))
  return [a | 0, b | 1, c | 1, d | 1]
}

/**
 * Hashes bytes, four at a time, with multiplications and mixing like MurmurHash3 (Appleby). Two multiplications per step
 * spread the change of any bit in an unpredictable way. The lowest bits select the slot.
 */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = seed ^ (end - start)
  let at = start
  for (; at + 4 <= end; at += 4) {
    const four =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    hash = Math.imul(hash ^ four, first)
    hash = Math.imul(hash ^ (hash >>> 15), second)
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), third)
  hash = Math.imul(hash ^ (hash >>> 16), first)
  return (hash ^ (hash >>> 13)) >>> 0
}
