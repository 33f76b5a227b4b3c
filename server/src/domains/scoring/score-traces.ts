import { setTimeout as pause } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { storable } from '../../lib/storable.ts'
import type { ModelUsage } from '../../models/chat.ts'
import { ModelError } from '../../models/model-error.ts'
import {
  type LocalResult,
  type LocalScorers,
  NoScoreError,
  type ReadyScorer,
  type ScoringService,
  textsOf,
} from '../scorers/index.ts'
import type { TraceReader } from '../traces/index.ts'
import type { Outcome } from './outcome.ts'

export interface ScoringTools {
  scoring: Pick<ScoringService, 'open' | 'costOf'>
  traces: Pick<TraceReader, 'bodies' | 'matching' | 'positions'>
  local: Pick<LocalScorers, 'scoreBodies'>
  /** Limits calls to models by batches and rules. */
  modelCalls: FairQueue
}

type Body = { traceId: string; body: Uint8Array }

/** Traces of one step. Scores by a model are expensive, so fewer of them may be lost if the process dies. */
export const stepSize = { local: 100, model: 20 }
/** Maximum bytes of traces in memory at a time. */
const maxBytes = 8 * 1024 * 1024
/** Attempts per trace; each attempt retries failed calls itself. */
const maxAttempts = 4
const backoff: Backoff = { baseMs: 1_000, maxMs: 30_000 }
const maxPauseMs = 120_000

/** Scores traces. A deleted trace has no outcome. A failure of the scorer is the outcome `failed`. */
export async function scoreTraces(
  tools: ScoringTools,
  projectId: string,
  readyScorer: ReadyScorer,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for await (const bodies of tools.traces.bodies(projectId, ids, maxBytes)) {
    signal.throwIfAborted()
    const { byModel } = readyScorer
    outcomes.push(
      ...(byModel
        ? await Promise.all(
            bodies.map((each) =>
              scoreTraceByModel(tools, projectId, { ...readyScorer, byModel }, each, signal),
            ),
          )
        : await scoreLocally(tools, projectId, readyScorer, bodies, signal)),
    )
  }
  return outcomes
}

function needsExpected({ needs }: ReadyScorer): boolean {
  return needs.includes('expected_output')
}

async function scoreLocally(
  { local }: ScoringTools,
  projectId: string,
  readyScorer: ReadyScorer,
  bodies: readonly Body[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const scorer = { slug: readyScorer.slug, needsExpected: needsExpected(readyScorer) }
  const given = bodies.map(({ body }) => body)
  const results = await local.scoreBodies(projectId, scorer, given, signal)
  return bodies.map(({ traceId }, index) => toOutcome(traceId, results[index] ?? null))
}

function toOutcome(traceId: string, result: LocalResult): Outcome {
  if (result === null) return { kind: 'skipped', traceId, reason: 'no_expected_output' }
  if (typeof result === 'string') return { kind: 'failed', traceId, reason: result, cost: null }
  return { kind: 'scored', traceId, ...result, cost: null }
}

async function scoreTraceByModel(
  { scoring, modelCalls }: ScoringTools,
  projectId: string,
  readyScorer: ReadyScorer & { byModel: NonNullable<ReadyScorer['byModel']> },
  { traceId, body }: Body,
  signal: AbortSignal,
): Promise<Outcome> {
  const texts = textsOf(body)
  if (needsExpected(readyScorer) && texts.expected_output === undefined) {
    return { kind: 'skipped', traceId, reason: 'no_expected_output' }
  }
  const costOf = (usages: readonly ModelUsage[]) =>
    scoring.costOf(projectId, readyScorer.byModel.name, usages)
  try {
    const run = () => modelCalls.run([projectId], () => readyScorer.byModel.score(texts, signal), signal)
    const result = await withRetries(run, signal)
    const { score, reasoning, usages } = result
    return { kind: 'scored', traceId, score, reasoning, cost: await costOf(usages) }
  } catch (error) {
    signal.throwIfAborted()
    // An unexpected error, such as an unreachable database, is not caused by the trace: the job fails and is retried.
    if (!(error instanceof CairnError)) throw error
    const cost = error instanceof NoScoreError ? await costOf(error.usages) : null
    return { kind: 'failed', traceId, reason: reasonOf(error), cost }
  }
}

/** False for unusable answers, because each attempt has already called the model several times. */
function isWorthRetrying({ isRetryable, failure }: ModelError): boolean {
  return isRetryable && failure !== 'garbled'
}

/** The error message, with the provider's response if the message does not contain it. */
function reasonOf(error: CairnError): string {
  const detail = error instanceof ModelError ? error.detail : ''
  return storable(
    detail === '' || error.message.endsWith(detail) ? error.message : `${error.message}: ${detail}`,
  )
}

/** Retries failed calls with long pauses, because no client waits for the result. */
async function withRetries<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ModelError) || !isWorthRetrying(error) || attempt === maxAttempts) throw error
      const wait = Math.max(backoffMs(attempt, backoff), error.retryAfterMs ?? 0)
      if (wait > maxPauseMs) throw error
      await pause(wait, undefined, { signal }).catch(() => {})
    }
  }
}
