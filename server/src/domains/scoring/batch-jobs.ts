import { setTimeout as pause } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { type Queue, turnMs } from '../../jobs/index.ts'
import { earliestId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import type { ReadyJudge } from '../scorers/index.ts'
import type { ScoreService } from '../scores/index.ts'
import type { TracePosition } from '../traces/index.ts'
import { conditionsOf, storedFilter } from './filter.ts'
import { type Outcome, scoreRows } from './outcome.ts'
import { isSampled } from './sample.ts'
import { type JudgingTools, judgeTraces, stepSize } from './score-traces.ts'
import type { BatchJob, BatchStore, ScoringRow } from './store-batches.ts'

interface Options extends JudgingTools {
  store: BatchStore
  scores: Pick<ScoreService, 'judgedBy'>
}

const longestRestMs = 500

/** Traces that are looked at in one step; those of the sample are judged. */
const pageSize = 1000

/** The next traces to judge; the batch stands at `end` when they are done. */
interface Step {
  ids: string[]
  end: TracePosition
}

/** The background work that carries out batches. */
export function batchJobs(options: Options): Queue {
  return {
    concurrency: 8,
    perProject: 2,
    // Failures of our own (the database is away), and processes that die: a long batch may see many.
    maxAttempts: 1000,
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const job = payload as BatchJob
      const row = await options.store.find(job.project_id, job.scoring_id)
      if (row?.state !== 'running') return 'done'
      try {
        const judge = await options.judges.open(row.project_id, row.scorer)
        const state = await carryOut(options, row, judge, signal)
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

/** Takes steps until the batch is finished, was ended by somebody, or its turn is over. */
async function carryOut(
  options: Options,
  found: ScoringRow,
  judge: ReadyJudge,
  signal: AbortSignal,
): Promise<'finished' | 'ended' | 'unfinished'> {
  const { store, traces } = options
  const endOfTurn = Date.now() + turnMs
  let row = found
  if (row.total === null) {
    row = { ...row, total: await count(traces, row, signal) }
    await store.setTotal(row, row.total ?? 0)
  }
  const size = judge.byModel ? stepSize.model : stepSize.local
  for await (const { ids, end } of steps(traces, row, size)) {
    signal.throwIfAborted()
    const from = performance.now()
    const outcomes = await judgeStep(options, row, judge, ids, signal)
    const { project_id: projectId, scoring_id: sourceId, scorer } = row
    const model = judge.byModel?.name ?? null
    const scores = scoreRows({ projectId, source: 'batch', sourceId, scorer, model }, outcomes)
    const next = await store.advance(row, { outcomes, scores, end })
    if (!next) {
      if ((await store.find(projectId, sourceId))?.state !== 'running') return 'ended'
      throw new Error('another process carries the batch out')
    }
    row = next
    if (Date.now() >= endOfTurn) return 'unfinished'
    await giveWay(performance.now() - from, signal)
  }
  return 'finished'
}

/**
 * A batch has time: it rests after each step for as long as that took, so that others get their turn, and the longer
 * the busier the machine is.
 */
async function giveWay(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(ms, longestRestMs), undefined, { signal })
}

/** What becomes of each of the traces. */
async function judgeStep(
  options: Options,
  { project_id, scorer, overwrite }: ScoringRow,
  judge: ReadyJudge,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const judged = overwrite ? new Set<string>() : await options.scores.judgedBy(project_id, scorer, ids)
  const open = ids.filter((id) => !judged.has(id))
  const outcomes = await judgeTraces(options, project_id, judge, open, signal)
  const known = new Set(outcomes.map(({ traceId }) => traceId))
  return [
    ...outcomes,
    ...ids
      .filter((id) => !known.has(id))
      .map((traceId): Outcome => {
        return { kind: 'skipped', traceId, reason: judged.has(traceId) ? 'already_scored' : 'deleted' }
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

/** The traces that the batch has still to judge, newest first: those that were there when it was started. */
async function* steps(traces: Options['traces'], row: ScoringRow, size: number): AsyncGenerator<Step> {
  const { project_id, sample_rate, created_at, max_traces } = row
  const conditions = conditionsOf(storedFilter(row.filter))
  const later = earliestId('trc_', created_at + 1)
  const handled = row.done + row.failed + row.already_scored + row.no_expected_output + row.deleted
  let left = max_traces === null ? Number.POSITIVE_INFINITY : max_traces - handled
  let after = positionOf(row)
  let ids: string[] = []
  let end: TracePosition | undefined
  do {
    const page = await traces.positions(project_id, conditions, { limit: pageSize, after })
    for (const position of page) {
      if (left === 0) break
      if (position.traceId >= later || !isSampled(position.traceId, sample_rate)) continue
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
