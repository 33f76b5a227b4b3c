import { type ScoreRow, toScoreRow } from '../scores/index.ts'
import { scoreIdOf } from './sample.ts'

/** What became of one trace. `cost` is USD of the calls to a model; null when none was made, or the price is unknown. */
export type Outcome =
  | { kind: 'scored'; traceId: string; score: number; reasoning: string; cost: number | null }
  | { kind: 'failed'; traceId: string; reason: string; cost: number | null }
  | { kind: 'skipped'; traceId: string; reason: 'already_scored' | 'no_expected_output' | 'deleted' }

export interface Judging {
  projectId: string
  /** The batch or the rule. */
  source: 'batch' | 'rule'
  sourceId: string
  scorer: string
  /** What graded; null for a local method. */
  model: string | null
}

/** The scores among the outcomes, as rows, in the order of their traces. */
export function scoreRows(judging: Judging, outcomes: readonly Outcome[]): ScoreRow[] {
  const { projectId, source, sourceId, scorer, model } = judging
  const now = Date.now()
  return outcomes
    .flatMap((outcome) => {
      if (outcome.kind !== 'scored') return []
      const { traceId, score: value, reasoning: comment, cost } = outcome
      const method = model === null ? 'local' : 'model'
      const origin = { source, sourceId, scorer, method, model, cost } as const
      const row = toScoreRow({ projectId, traceId }, { name: scorer, value, comment }, now, origin)
      return [{ ...row, score_id: scoreIdOf(sourceId, traceId) }]
    })
    .sort((a, b) => (a.trace_id < b.trace_id ? -1 : 1))
}

/** What a step adds to the figures of a batch or a rule. */
export interface Tally {
  scored: number
  failed: number
  already_scored: number
  no_expected_output: number
  deleted: number
  scoreSum: number
  cost: number
}

/** `there` are the traces that have not been deleted meanwhile. */
export function tally(outcomes: readonly Outcome[], there: ReadonlySet<string>): Tally {
  const sum = {
    scored: 0,
    failed: 0,
    already_scored: 0,
    no_expected_output: 0,
    deleted: 0,
    scoreSum: 0,
    cost: 0,
  }
  for (const outcome of outcomes) {
    if (outcome.kind !== 'skipped') sum.cost += outcome.cost ?? 0
    if (!there.has(outcome.traceId)) sum.deleted += 1
    else if (outcome.kind === 'skipped') sum[outcome.reason] += 1
    else if (outcome.kind === 'failed') sum.failed += 1
    else {
      sum.scored += 1
      sum.scoreSum += outcome.score
    }
  }
  return sum
}
