import { Increments, type TraceFacts } from '../rollups/index.ts'
import type { Label } from './labels.ts'

/**
 * Microseconds of the writer's time, about, as measured on SQLite: for a trace, one of its labels, a row of the rollups,
 * and a byte.
 */
const costs = { trace: 50, label: 8, rollup: 18, byte: 0.01 }

/** The longest that one transaction of traces should hold the writer: everybody else waits for so long. */
export const transactionCost = 15_000
/** A write that costs more is written in several transactions; the last one of a group may come on top of it. */
const stepCost = 10_000

/** What the cost of a trace follows from. */
interface Writable {
  facts: TraceFacts
  labels: readonly Label[]
  body: { length: number }
}

/** What it costs to write traces in one transaction. Rows of the rollups that several of them change count once. */
export class WriteCost {
  readonly increments = new Increments()
  #others = 0

  add({ facts, labels, body }: Writable): void {
    this.increments.addTrace(facts)
    this.#others += costs.trace + costs.label * labels.length + costs.byte * body.length
  }

  /** Rows of other tables. */
  addRows(rows: number): void {
    this.#others += rows * costs.rollup
  }

  get total(): number {
    return this.#others + costs.rollup * this.increments.rows
  }
}

/** Cuts traces into steps that one transaction each writes, or deletes, in a few milliseconds. */
export function toSteps<T extends Writable>(traces: readonly T[]): T[][] {
  const steps: T[][] = []
  let step: T[] = []
  let cost = new WriteCost()
  for (const trace of traces) {
    step.push(trace)
    cost.add(trace)
    if (cost.total < stepCost) continue
    steps.push(step)
    step = []
    cost = new WriteCost()
  }
  return step.length > 0 ? [...steps, step] : steps
}
