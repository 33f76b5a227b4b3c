import type { Break, Heading } from './types.ts'

/** Breaks nearer to each other are of no use: chunks are many times as long. */
const minDistance = 40

/**
 * Collects, in the order of the text, the keys and elements of a tree of values: its headings are the path to each
 * value, its breaks the deeper the dearer, so that what belongs together stays together. What a file of millions of
 * tiny values does not need is left out.
 */
export class ValueOutline {
  readonly headings: Heading[] = []
  readonly breaks: Break[] = []

  /** A key at a depth, from 1. */
  addKey(at: number, depth: number, title: string): void {
    this.addBreak(at, depth)
    this.headings.push({ start: at, level: depth, title })
  }

  /** An element of a list. A scalar gets a heading only where one is needed to end the path of what stood before. */
  addElement(at: number, depth: number, index: number, isScalar: boolean): void {
    this.addBreak(at, depth)
    if (isScalar && (this.headings.at(-1)?.level ?? 0) < depth) return
    this.headings.push({ start: at, level: depth, title: String(index) })
  }

  addBreak(at: number, depth: number): void {
    const cost = Math.min(0.2 * (depth - 1), 0.8)
    const last = this.breaks.at(-1)
    if (!last || at - last.at >= minDistance || cost < last.cost) this.breaks.push({ at, cost })
  }
}
