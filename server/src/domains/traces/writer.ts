import { CairnError } from '@cairn/contract'
import { runFor } from '../../lib/current-work.ts'
import { GroupCommit } from '../../lib/group-commit.ts'
import type { Charge } from '../usage/index.ts'
import type { NewTrace } from './facts.ts'
import type { KeyRows } from './idempotency.ts'
import type { StepRows, TraceStore, WriteRejection } from './store.ts'
import { transactionCost, WriteCost } from './write-cost.ts'

/** The rules for new traces. The scoring domain implements it. */
export interface Arrivals<Rule> {
  /** The enabled rules of a project. */
  rulesOf(projectId: string): Promise<readonly Rule[]>
  /** The rows that queue traces for the rules, for the transaction of the traces. */
  inserts(
    arrived: readonly { rules: readonly Rule[]; traceIds: readonly string[] }[],
  ): NonNullable<StepRows['inserts']>
}

export interface TraceWriterOptions {
  store: TraceStore
  arrivals: Arrivals<unknown>
  maxQueuedTraces: number
  maxQueuedBytes: number
}

/** All traces of one request, or a part of them, and the rows of the same transaction. */
interface Step {
  traces: readonly NewTrace[]
  rows: StepRows
  rules: readonly unknown[]
  charges: readonly Charge[]
  /** The last step of a request must be durable, because then the response is sent. */
  isLast: boolean
}

/** A group was not written because of one of its steps. The queue then writes each step separately. */
class RejectedWrite extends Error {
  readonly reason: WriteRejection

  constructor(reason: WriteRejection) {
    super(`traces were not written: ${reason}`)
    this.reason = reason
  }
}

/** The steps that one transaction writes. */
interface Group {
  steps: Step[]
  cost: WriteCost
}

/** Memory of a queued trace in addition to its body. */
const overheadBytes = 800

/** Writes the traces of all requests in groups. Each group is one transaction. */
export class TraceWriter {
  readonly #options: TraceWriterOptions
  readonly #queue: GroupCommit<Step, Group>

  constructor(options: TraceWriterOptions) {
    this.#options = options
    this.#queue = new GroupCommit<Step, Group>({
      newGroup: () => ({ steps: [], cost: new WriteCost() }),
      put: putStep,
      // A group contains traces of many projects, so its writing counts for no project.
      flush: (group) => runFor(['traces'], () => this.#flush(group)),
      maxCost: transactionCost,
      maxWaiting: { rows: options.maxQueuedTraces, bytes: options.maxQueuedBytes },
      refusal: () =>
        new CairnError(
          'overloaded',
          'too many traces of this project wait to be written (CAIRN_MAX_QUEUED_TRACES, CAIRN_MAX_QUEUED_BYTES); try again shortly',
          { retryAfter: 1 },
        ),
    })
  }

  /** Writes traces with new ids. Throws if a trace with one of the ids exists. */
  async write(
    projectId: string,
    steps: readonly (readonly NewTrace[])[],
    charges: Charge[] = [],
    inserts: StepRows['inserts'] = [],
  ): Promise<void> {
    const outcome = await this.tryToWrite(projectId, steps, { first: { inserts } }, charges)
    if (outcome === 'taken') throw new Error('the new id of a trace is taken')
  }

  /**
   * Writes the steps in order, each in one transaction, which may contain steps of other requests. The charges are written
   * with the first step. Returns `taken` if a trace or an Idempotency-Key of a step exists; this step and all later ones are
   * not written.
   *
   * @throws `not_found` for a deleted project, `overloaded` if the queue is full
   */
  async tryToWrite(
    projectId: string,
    steps: readonly (readonly NewTrace[])[],
    { first = {}, last = {} }: KeyRows = {},
    charges: Charge[] = [],
  ): Promise<'written' | 'taken'> {
    const rules = await this.#options.arrivals.rulesOf(projectId)
    const traces = steps.flat()
    const bytes = traces.reduce((sum, trace) => sum + trace.body.length + overheadBytes, 0)
    const items = steps.map((step, index): Step => {
      const ofFirst = index === 0 ? first : {}
      const ofLast = index === steps.length - 1 ? last : {}
      return {
        traces: step,
        rows: {
          inserts: [...(ofFirst.inserts ?? []), ...(ofLast.inserts ?? [])],
          after: [...(ofFirst.after ?? []), ...(ofLast.after ?? [])],
        },
        rules,
        charges: index === 0 ? charges : [],
        isLast: index === steps.length - 1,
      }
    })
    try {
      await this.#queue.add(projectId, items, { rows: traces.length, bytes })
    } catch (error) {
      if (!(error instanceof RejectedWrite) || error.reason === 'import_conflict') throw error
      if (error.reason === 'taken') return 'taken'
      throw projectNotFound()
    }
    // Traces of a project in deletion can still be written; the deletion deletes them, too.
    if (steps.length > 1 && !(await this.#options.store.hasProject(projectId))) throw projectNotFound()
    return 'written'
  }

  /** Resolves when every trace that was accepted is written. */
  drain(): Promise<void> {
    return this.#queue.drain()
  }

  async #flush({ steps, cost }: Group): Promise<void> {
    const { store, arrivals } = this.#options
    const arrived = steps
      .filter(({ rules }) => rules.length > 0)
      .map(({ rules, traces }) => ({ rules, traceIds: traces.map(({ traceId }) => traceId) }))
    const outcome = await store.insert(
      steps.flatMap(({ traces }) => traces),
      [
        ...steps.flatMap(({ rows }) => rows.inserts ?? []),
        ...(arrived.length > 0 ? arrivals.inserts(arrived) : []),
      ],
      {
        charges: steps.flatMap(({ charges }) => charges),
        after: steps.flatMap(({ rows }) => rows.after ?? []),
        increments: cost.increments,
        durable: steps.some(({ isLast }) => isLast),
      },
    )
    if (outcome !== 'inserted') throw new RejectedWrite(outcome)
  }
}

/** Adds a step to a group, and returns the cost of the group. */
function putStep({ steps, cost }: Group, step: Step): number {
  steps.push(step)
  for (const trace of step.traces) cost.add(trace)
  const { inserts = [], after = [] } = step.rows
  cost.addRows(inserts.length + after.length + 3 * step.charges.length)
  return cost.total
}

/** The request was authorized, so the project was deleted afterwards. */
function projectNotFound(): CairnError {
  return new CairnError('not_found', 'project not found')
}
