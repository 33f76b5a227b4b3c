/**
 * DDSketch (Masson, Rim, Lee: "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees", VLDB 2019): a histogram whose bins grow by a constant factor, so that every value is known within 1 %.
 * Two sketches are added, or subtracted, bin by bin.
 *
 * Stored sparse, as [bin, count, bin, count, …] in ascending order of the bins.
 */
export type Sketch = Int32Array<ArrayBuffer>

const accuracy = 0.01
const gamma = (1 + accuracy) / (1 - accuracy)

/** Bin of a value: `ceil(ln(value) / lnGamma)`. The SQL functions use the same formula. */
export const lnGamma = Math.log(gamma)
/** Values below this one, including zero, share one bin. */
export const leastValue = 1e-6
export const zeroBin = -1_000_000

export function binOf(value: number): number {
  return value < leastValue ? zeroBin : Math.ceil(Math.log(value) / lnGamma)
}

/** A value within 1 % of every value in the bin. */
function middleOf(bin: number): number {
  return bin === zeroBin ? 0 : (2 * gamma ** bin) / (gamma + 1)
}

/** Interprets bytes as a sketch, without a copy if their alignment permits. */
export function sketchOf(bytes: Uint8Array): Sketch {
  // A view of integers must be aligned.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Int32Array(aligned.buffer as ArrayBuffer, aligned.byteOffset, aligned.byteLength / 4)
}

export function toSketch(counts: ReadonlyMap<number, number>): Sketch {
  // Most buckets of a minute have one value, which needs no sorting.
  if (counts.size === 1) for (const [bin, count] of counts) return Int32Array.of(bin, count)
  const bins = Int32Array.from(counts.keys()).sort()
  const sketch = new Int32Array(bins.length * 2)
  for (const [index, bin] of bins.entries()) {
    sketch[index * 2] = bin
    sketch[index * 2 + 1] = counts.get(bin) ?? 0
  }
  return sketch
}

/** The sum of two sketches; bins with the count zero are left out. */
export function mergeSketches(a: Sketch, b: Sketch): Sketch {
  const merged = new Int32Array(a.length + b.length)
  let length = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const left = i < a.length ? (a[i] as number) : Number.POSITIVE_INFINITY
    const right = j < b.length ? (b[j] as number) : Number.POSITIVE_INFINITY
    let count = 0
    if (left <= right) {
      count += a[i + 1] as number
      i += 2
    }
    if (right <= left) {
      count += b[j + 1] as number
      j += 2
    }
    if (count === 0) continue
    merged[length++] = Math.min(left, right)
    merged[length++] = count
  }
  return merged.slice(0, length)
}

/** Adds up many sketches, which is cheaper than merging one after the other. */
export class SketchSum {
  readonly #sketches: Sketch[] = []

  add(sketch: Sketch): void {
    if (sketch.length > 0) this.#sketches.push(sketch)
  }

  addBin(bin: number, count: number): void {
    this.#sketches.push(Int32Array.of(bin, count))
  }

  /** The percentiles of SQL's `percentile_cont`, each within 1 %; zeros without any value. */
  percentiles(shares: readonly number[]): number[] {
    const [first = new Int32Array(), ...others] = this.#sketches
    const sum = others.length === 0 ? first : addUp(this.#sketches)
    let total = 0
    for (let i = 1; i < sum.length; i += 2) total += Math.max(0, sum[i] as number)
    if (total === 0) return shares.map(() => 0)
    return shares.map((share) => {
      const rank = share * (total - 1)
      const lower = valueAt(sum, Math.floor(rank))
      return rank % 1 === 0 ? lower : lower + (valueAt(sum, Math.ceil(rank)) - lower) * (rank % 1)
    })
  }
}

/** The value with this rank, starting at 0. */
function valueAt(sum: ArrayLike<number>, rank: number): number {
  let seen = 0
  for (let i = 0; i < sum.length; i += 2) {
    seen += Math.max(0, sum[i + 1] as number)
    if (seen > rank) return middleOf(sum[i] as number)
  }
  return 0
}

/** One histogram of several, as [bin, count, …] in ascending order; its counts may exceed the range of a sketch. */
function addUp(sketches: readonly Sketch[]): Float64Array {
  let [lowest, highest, zeros] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (const sketch of sketches) {
    const from = sketch[0] === zeroBin ? 2 : 0
    if (from === 2) zeros += sketch[1] as number
    if (from === sketch.length) continue
    lowest = Math.min(lowest, sketch[from] as number)
    highest = Math.max(highest, sketch[sketch.length - 2] as number)
  }
  const width = Math.max(0, highest - lowest + 1)
  const sum = new Float64Array(2 * (width + 1))
  sum[0] = zeroBin
  sum[1] = zeros
  for (let index = 0; index < width; index++) sum[2 * index + 2] = lowest + index
  for (const sketch of sketches) {
    for (let i = sketch[0] === zeroBin ? 2 : 0; i < sketch.length; i += 2) {
      const at = 2 * ((sketch[i] as number) - lowest) + 3
      sum[at] = (sum[at] as number) + (sketch[i + 1] as number)
    }
  }
  return sum
}
