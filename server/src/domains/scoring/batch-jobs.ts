import { setTimeout as pause } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { type Queue, turnMs } from '../../jobs/index.ts'
import { earliestId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import type { ReadyScorer } from '../scorers/index.ts'
import type { ScoreService } from '../scores/index.ts'
import type { TracePosition } from '../traces/index.ts'
import { conditionsOf, storedFilter } from './filter.ts'
import { type Outcome, scoreRows } from './outcome.ts'
import { isSampled } from './sample.ts'
import { type ScoringTools, scoreTraces, stepSize } from './score-traces.ts'
import type { BatchJob, BatchStore, ScoringRow } from './store-batches.ts'

interface Options extends ScoringTools {
  store: BatchStore
  scores: Pick<ScoreService, 'scoredBy'>
}

const maxPauseMs = 500

/** Traces that are read at once; the sampled ones are scored. */
const pageSize = 1000

/** The next traces to score. `end` is the position of the last one. */
interface Step {
  ids: string[]
  end: TracePosition
}

/** Jobs that run batches. */
export function batchJobs(options: Options): Queue {
  return {
    concurrency: 8,
    perProject: 2,
    // Counts failures of this server, such as an unreachable database, and crashes; a long batch may have many.
    maxAttempts: 1000,
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const job = payload as BatchJob
      const row = await options.store.find(job.project_id, job.scoring_id)
      if (row?.state !== 'running') return 'done'
      try {
        const readyScorer = await options.scoring.open(row.project_id, row.scorer)
        const state = await runBatch(options, row, readyScorer, signal)
        if (state === 'unfinished') return 'again'
        if (state === 'finished') await options.store.end(job, 'completed')
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof CairnError)) throw error
        await options.store.end(job, 'failed', storable(error.message.slice(0, 500)))
      }
      return 'done'
    },
  }
}

/** Runs steps until the batch is finished, was ended by a caller, or its turn is over. */
async function runBatch(
  options: Options,
  found: ScoringRow,
  readyScorer: ReadyScorer,
  signal: AbortSignal,
): Promise<'finished' | 'ended' | 'unfinished'> {
  const { store, traces } = options
  const endOfTurn = Date.now() + turnMs
  let row = found
  if (row.total === null) {
    row = { ...row, total: await count(traces, row, signal) }
    await store.setTotal(row, row.total ?? 0)
  }
  const size = readyScorer.byModel ? stepSize.model : stepSize.local
  for await (const { ids, end } of steps(traces, row, size)) {
    signal.throwIfAborted()
    const from = performance.now()
    const outcomes = await scoreStep(options, row, readyScorer, ids, signal)
    const { project_id: projectId, scoring_id: sourceId, scorer } = row
    const model = readyScorer.byModel?.name ?? null
    const scores = scoreRows({ projectId, source: 'batch', sourceId, scorer, model }, outcomes)
    const next = await store.advance(row, { outcomes, scores, end })
    if (!next) {
      if ((await store.find(projectId, sourceId))?.state !== 'running') return 'ended'
      throw new Error('another process has advanced the batch')
    }
    row = next
    if (Date.now() >= endOfTurn) return 'unfinished'
    await pauseFor(performance.now() - from, signal)
  }
  return 'finished'
}

/** Pauses after a step for the duration of the step, so that requests have priority over batches on a busy machine. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(ms, maxPauseMs), undefined, { signal })
}

/** Scores the traces of a step. Returns one outcome per trace. */
async function scoreStep(
  options: Options,
  { project_id, scorer, overwrite }: ScoringRow,
  readyScorer: ReadyScorer,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const scored = overwrite ? new Set<string>() : await options.scores.scoredBy(project_id, scorer, ids)
  const open = ids.filter((id) => !scored.has(id))
  const outcomes = await scoreTraces(options, project_id, readyScorer, open, signal)
  const known = new Set(outcomes.map(({ traceId }) => traceId))
  return [
    ...outcomes,
    ...ids
      .filter((id) => !known.has(id))
      .map((traceId): Outcome => {
        return { kind: 'skipped', traceId, reason: scored.has(traceId) ? 'already_scored' : 'deleted' }
      }),
  ]
}

async function count(traces: Options['traces'], row: ScoringRow, signal: AbortSignal): Promise<number> {
  let total = 0
  for await (const { ids } of steps(traces, row, pageSize)) {
    signal.throwIfAborted()
    total += ids.length
  }
  return total
}

/** The remaining traces of the batch, newest first. Traces that arrived after its start are left out. */
async function* steps(traces: Options['traces'], row: ScoringRow, size: number): AsyncGenerator<Step> {
  const { project_id, sample_rate, created_at, max_traces } = row
  const conditions = conditionsOf(storedFilter(row.filter))
  const firstLaterId = earliestId('trc_', created_at + 1)
  const handled = row.done + row.failed + row.already_scored + row.no_expected_output + row.deleted
  let left = max_traces === null ? Number.POSITIVE_INFINITY : max_traces - handled
  let after = positionOf(row)
  let ids: string[] = []
  let end: TracePosition | undefined
  do {
    const page = await traces.positions(project_id, conditions, { limit: pageSize, after })
    for (const position of page) {
      if (left === 0) break
      if (position.traceId >= firstLaterId || !isSampled(position.traceId, sample_rate)) continue
      left -= 1
      ids.push(position.traceId)
      end = position
      if (ids.length < size) continue
      yield { ids, end }
      ids = []
    }
    after = page.length < pageSize || left === 0 ? undefined : page.at(-1)
  } while (after)
  if (end && ids.length > 0) yield { ids, end }
}

function positionOf({ after_ms, after_id }: ScoringRow): TracePosition | undefined {
  return after_ms === null || after_id === null ? undefined : { createdMs: after_ms, traceId: after_id }
}
