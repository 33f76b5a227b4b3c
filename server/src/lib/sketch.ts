/**
 * DDSketch (Masson, Rim, Lee: "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees", VLDB 2019): a histogram whose bins grow by a constant factor, so that every value is known to 1 %.
 * Two sketches are added bin by bin, and so are taken away again.
 *
 * Stored sparse, as [bin, count, bin, count, …] in ascending order of the bins.
 */
export type Sketch = Int32Array<ArrayBuffer>

const accuracy = 0.01
const gamma = (1 + accuracy) / (1 - accuracy)

/** Bin of a value: `ceil(ln(value) / lnGamma)`; SQL says the same. */
export const lnGamma = Math.log(gamma)
/** Values below this one, zero among them, share a bin of their own. */
export const leastValue = 1e-6
export const zeroBin = -1_000_000

export function binOf(value: number): number {
  return value < leastValue ? zeroBin : Math.ceil(Math.log(value) / lnGamma)
}

/** The value that is within 1 % of everything in the bin. */
function middleOf(bin: number): number {
  return bin === zeroBin ? 0 : (2 * gamma ** bin) / (gamma + 1)
}

export function toSketch(counts: ReadonlyMap<number, number>): Sketch {
  // Most stretches of a minute hold one value: no need to sort.
  if (counts.size === 1) for (const [bin, count] of counts) return Int32Array.of(bin, count)
  const bins = Int32Array.from(counts.keys()).sort()
  const sketch = new Int32Array(bins.length * 2)
  for (const [index, bin] of bins.entries()) {
    sketch[index * 2] = bin
    sketch[index * 2 + 1] = counts.get(bin) ?? 0
  }
  return sketch
}

/** The sum of two sketches; bins that come to zero are left out. */
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

/** Sketches added up: cheaper than merging one after the other. */
export class SketchSum {
  readonly #counts = new Map<number, number>()

  add(sketch: Sketch): void {
    for (let i = 0; i < sketch.length; i += 2) this.addBin(sketch[i] as number, sketch[i + 1] as number)
  }

  addBin(bin: number, count: number): void {
    this.#counts.set(bin, (this.#counts.get(bin) ?? 0) + count)
  }

  /** The percentiles of SQL's `percentile_cont`, each within 1 %; zeros when there is nothing. */
  percentiles(shares: readonly number[]): number[] {
    const bins = [...this.#counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b)
    const total = bins.reduce((sum, [, count]) => sum + count, 0)
    if (total === 0) return shares.map(() => 0)
    const valueAt = (rank: number) => {
      let seen = 0
      for (const [bin, count] of bins) {
        seen += count
        if (seen > rank) return middleOf(bin)
      }
      return 0
    }
    return shares.map((share) => {
      const rank = share * (total - 1)
      const lower = valueAt(Math.floor(rank))
      return lower + (valueAt(Math.ceil(rank)) - lower) * (rank % 1)
    })
  }
}
