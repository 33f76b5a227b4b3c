import { seededRandom } from '../random.ts'

/** Random choices that the same seed repeats. */
export class Dice {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** True in this share of the throws. */
  chance(share: number): boolean {
    return this.#next() < share
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** One of the keys; the number beside each is its share. */
  weighted<K extends string>(shares: Record<K, number>): K {
    const entries = Object.entries(shares) as [K, number][]
    let left = this.#next() * entries.reduce((sum, [, share]) => sum + share, 0)
    const found = entries.find(([, share]) => {
      left -= share
      return left < 0
    })
    return (found ?? entries[0])?.[0] as K
  }
}
