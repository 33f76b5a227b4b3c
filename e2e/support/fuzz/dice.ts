import { seededRandom } from '../random.ts'

/** Random choices, repeatable by a seed. */
export class Dice {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** True with this probability. */
  chance(share: number): boolean {
    return this.#next() < share
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  /** A random item. The type omits that an empty list gives undefined. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** One of the keys; its value is its weight. */
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
