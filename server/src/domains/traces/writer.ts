import { CairnError } from '@cairn/contract'
import { runFor } from '../../lib/current-tenant.ts'
import { GroupCommit } from '../../lib/group-commit.ts'
import type { Charge } from '../usage/index.ts'
import type { NewTrace } from './facts.ts'
import type { KeyRows } from './idempotency.ts'
import type { StepRows, TraceStore, WriteRefusal } from './store.ts'
import { transactionCost, WriteCost } from './write-cost.ts'

/** The rules for new traces. The scoring domain implements it. */
export interface Arrivals<Rule> {
  /** Rules of a project that are switched on. */
  rulesOf(projectId: string): Promise<readonly Rule[]>
  /** Rows that tell the rules of the traces, to be written with them. */
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

/** Traces of one request, or a part of them, and rows that are written with them or not at all. */
interface Step {
  traces: readonly NewTrace[]
  rows: StepRows
  rules: readonly unknown[]
  charges: readonly Charge[]
  /** The request is answered after the last step is written. */
  isLast: boolean
}

/** Why a group of steps was not written; tells the queue to write each by itself. */
class RefusedWrite extends Error {
  readonly refusal: WriteRefusal

  constructor(refusal: WriteRefusal) {
    super(`traces were not written: ${refusal}`)
    this.refusal = refusal
  }
}

/** The steps that one transaction writes. */
interface Group {
  steps: Step[]
  cost: WriteCost
}

/** What a queued trace holds in memory beside its body. */
const overheadBytes = 800

/** Writes the traces of all requests in groups, each in one transaction. */
export class TraceWriter {
  readonly #options: TraceWriterOptions
  readonly #queue: GroupCommit<Step, Group>

  constructor(options: TraceWriterOptions) {
    this.#options = options
    this.#queue = new GroupCommit<Step, Group>({
      newGroup: () => ({ steps: [], cost: new WriteCost() }),
      put: putStep,
      // All projects have their parts in a group: it is not written for the one whose request came first.
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

  /** Writes traces whose ids are new: none is there already. */
  async write(
    projectId: string,
    steps: readonly (readonly NewTrace[])[],
    charges: Charge[] = [],
  ): Promise<void> {
    const outcome = await this.tryToWrite(projectId, steps, {}, charges)
    if (outcome === 'taken') throw new Error('the new id of a trace is taken')
  }

  /**
   * Writes the steps one after another, each in one transaction with what others write; the charges go with the first.
   * `taken` when a trace or an Idempotency-Key of a step is there already: that step and those behind it are not written.
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
      if (!(error instanceof RefusedWrite) || error.refusal === 'import_elsewhere') throw error
      if (error.refusal === 'taken') return 'taken'
      throw projectNotFound()
    }
    // The traces of a project that is being deleted can still be written; the deletion removes them, too.
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
    if (outcome !== 'inserted') throw new RefusedWrite(outcome)
  }
}

/** Returns what the whole group costs. */
function putStep({ steps, cost }: Group, step: Step): number {
  steps.push(step)
  for (const trace of step.traces) cost.add(trace)
  const { inserts = [], after = [] } = step.rows
  cost.addRows(inserts.length + after.length + 3 * step.charges.length)
  return cost.total
}

/** The key was good a moment ago, so the project was deleted in between. */
function projectNotFound(): CairnError {
  return new CairnError('not_found', 'project not found')
}
