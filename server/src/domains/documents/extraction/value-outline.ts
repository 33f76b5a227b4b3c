import type { Break, Heading } from './types.ts'

/** Closer breaks are left out unless they are better, because chunks are many times as long. In UTF-16 code units. */
const minDistance = 40

/**
 * Collects headings and breaks of a tree of values (JSON, YAML, XML, CSV), in the order of the text. Headings are the
 * keys and indices of the path to each value. Deeper breaks cost more, so chunks keep the values of one object
 * together. For files with millions of tiny values, unnecessary headings and breaks are left out.
 */
export class ValueOutline {
  readonly headings: Heading[] = []
  readonly breaks: Break[] = []

  /** Adds a key; `depth` counts from 1. */
  addKey(at: number, depth: number, title: string): void {
    this.addBreak(at, depth)
    this.headings.push({ start: at, level: depth, title })
  }

  /** Adds an element of a list. A scalar gets a heading only if the previous heading's path must end there. */
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
