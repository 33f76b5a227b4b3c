import { type ScoreRow, toScoreRow } from '../scores/index.ts'
import { scoreIdOf } from './sample.ts'

/** The outcome of one trace. `cost` is the cost of model calls in USD; null without calls, or if the price is unknown. */
export type Outcome =
  | { kind: 'scored'; traceId: string; score: number; reasoning: string; cost: number | null }
  | { kind: 'failed'; traceId: string; reason: string; cost: number | null }
  | { kind: 'skipped'; traceId: string; reason: 'already_scored' | 'no_expected_output' | 'deleted' }

export interface ScoringSource {
  projectId: string
  /** The batch or the rule. */
  source: 'batch' | 'rule'
  sourceId: string
  scorer: string
  /** Null for a local method. */
  model: string | null
}

/** The scores among the outcomes, as rows, in the order of their traces. */
export function scoreRows(
  { projectId, source, sourceId, scorer, model }: ScoringSource,
  outcomes: readonly Outcome[],
): ScoreRow[] {
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

/** The counts and sums that a step adds to a batch or a rule. */
export interface Tally {
  scored: number
  failed: number
  already_scored: number
  no_expected_output: number
  deleted: number
  scoreSum: number
  cost: number
}

/** Counts the outcomes. `existing` are the ids of traces that were not deleted meanwhile. */
export function tally(outcomes: readonly Outcome[], existing: ReadonlySet<string>): Tally {
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
    if (!existing.has(outcome.traceId)) sum.deleted += 1
    else if (outcome.kind === 'skipped') sum[outcome.reason] += 1
    else if (outcome.kind === 'failed') sum.failed += 1
    else {
      sum.scored += 1
      sum.scoreSum += outcome.score
    }
  }
  return sum
}
