import { CairnError } from '@cairn/contract'
import { runFor } from '../../lib/current-work.ts'
import { GroupCommit } from '../../lib/group-commit.ts'
import type { InboxItem, OtlpStore } from './store.ts'

export interface InboxOptions {
  store: Pick<OtlpStore, 'insert'>
  maxQueuedItems: number
  maxQueuedBytes: number
  /** Called after each durable write. */
  onWritten: () => void
}

/** The steps of one transaction. */
interface Group {
  steps: Step[]
  cost: number
}

/** Items that one transaction writes together, and whether a response waits for them. */
interface Step {
  items: readonly InboxItem[]
  isLast: boolean
}

/** Estimated microseconds per row and per byte, and the maximum of one transaction. */
const costs = { row: 60, byte: 0.01 }
const [transactionCost, stepCost] = [15_000, 10_000]

/** Memory of a waiting item in addition to its bytes. */
const overheadBytes = 400

class ProjectGoneError extends Error {}

/** Writes received spans in groups. Each group is one transaction. */
export class Inbox {
  readonly #options: InboxOptions
  readonly #queue: GroupCommit<Step, Group>

  constructor(options: InboxOptions) {
    this.#options = options
    this.#queue = new GroupCommit<Step, Group>({
      newGroup: () => ({ steps: [], cost: 0 }),
      put: (group, step) => {
        group.steps.push(step)
        group.cost += costOf(step.items)
        return group.cost
      },
      // A group contains spans of many projects, so its writing counts for no project.
      flush: (group) => runFor(['otlp'], () => this.#flush(group)),
      maxCost: transactionCost,
      maxWaiting: { rows: options.maxQueuedItems, bytes: options.maxQueuedBytes },
      refusal: () =>
        new CairnError(
          'overloaded',
          'too many spans of this project wait to be written (CAIRN_MAX_QUEUED_TRACES, CAIRN_MAX_QUEUED_BYTES); try again shortly',
          { retryAfter: 1 },
        ),
    })
  }

  /**
   * Resolves when all items are durable.
   * @throws `not_found` for a deleted project, `overloaded` if the queue is full
   */
  async write(projectId: string, items: readonly InboxItem[]): Promise<void> {
    if (items.length === 0) return
    const bytes = items.reduce((sum, item) => sum + item.bytes.length + overheadBytes, 0)
    const steps = toSteps(items)
    try {
      await this.#queue.add(projectId, steps, { rows: items.length, bytes })
    } catch (error) {
      if (error instanceof ProjectGoneError) throw new CairnError('not_found', 'project not found')
      throw error
    }
  }

  /** Resolves when every item that was accepted is written. */
  drain(): Promise<void> {
    return this.#queue.drain()
  }

  async #flush({ steps }: Group): Promise<void> {
    const items = steps.flatMap((step) => step.items)
    const isDurable = steps.some(({ isLast }) => isLast)
    const outcome = await this.#options.store.insert(items, isDurable)
    if (outcome === 'no_project') throw new ProjectGoneError()
    this.#options.onWritten()
  }
}

function costOf(items: readonly InboxItem[]): number {
  return items.reduce((sum, { bytes }) => sum + costs.row + costs.byte * bytes.length, 0)
}

function toSteps(items: readonly InboxItem[]): Step[] {
  const steps: InboxItem[][] = []
  let cost = Number.POSITIVE_INFINITY
  for (const item of items) {
    if (cost >= stepCost) {
      steps.push([])
      cost = 0
    }
    steps.at(-1)?.push(item)
    cost += costOf([item])
  }
  return steps.map((step, at) => ({ items: step, isLast: at === steps.length - 1 }))
}
