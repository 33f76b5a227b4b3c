import { createPacer } from '../../lib/turns.ts'
import { Increments, type TraceFacts } from '../rollups/index.ts'
import type { Label } from './labels.ts'

/** Approximate writing times in microseconds, measured on SQLite: per trace, label, rollup row and byte of a body. */
const costs = { trace: 50, label: 8, rollup: 18, byte: 0.01 }

/** Target maximum of one transaction in microseconds, because all other writes wait for it. */
export const transactionCost = 15_000
/** A write with a higher cost is split into several steps. A transaction may exceed its maximum by one step. */
const stepCost = 10_000

/** The fields of a trace that determine its cost. */
interface Writable {
  facts: TraceFacts
  labels: readonly Label[]
  body: { length: number }
}

/** The estimated cost of writing traces in one transaction. A rollup row that several traces change counts once. */
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

/**
 * Splits traces into steps. One transaction writes or deletes a step in a few milliseconds. Other requests run in between,
 * because a thousand traces with fifty tags each need 50 ms.
 */
export async function toSteps<T extends Writable>(traces: readonly T[]): Promise<T[][]> {
  const pace = createPacer()
  const steps: T[][] = []
  let step: T[] = []
  let cost = new WriteCost()
  for (const trace of traces) {
    step.push(trace)
    cost.add(trace)
    await pace()
    if (cost.total < stepCost) continue
    steps.push(step)
    step = []
    cost = new WriteCost()
  }
  return step.length > 0 ? [...steps, step] : steps
}
