import { setTimeout as pause } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { storable } from '../../lib/storable.ts'
import type { ModelUsage } from '../../models/chat.ts'
import { ModelError } from '../../models/model-error.ts'
import {
  type JudgeService,
  judgedOf,
  type LocalJudges,
  type LocalResult,
  type ReadyJudge,
  UngradedError,
} from '../scorers/index.ts'
import type { TraceReader } from '../traces/index.ts'
import type { Outcome } from './outcome.ts'

export interface JudgingTools {
  judges: Pick<JudgeService, 'open' | 'costOf'>
  traces: Pick<TraceReader, 'bodies' | 'meeting' | 'positions'>
  local: Pick<LocalJudges, 'judgeBodies'>
  /** Calls to models, of all that is judged in the background. */
  modelCalls: FairQueue
}

type Graded = NonNullable<ReadyJudge['byModel']>
type Body = { traceId: string; body: Uint8Array }

/** Traces of one step: what is judged by a model is dear, so that less of it may be lost with the process. */
export const stepSize = { local: 100, model: 20 }
/** Bytes of traces that are in memory at a time. */
const maxBytes = 8 * 1024 * 1024
/** Tries of a model, each of which tries the call three times itself. */
const rounds = 4
const backoff: Backoff = { baseMs: 1_000, maxMs: 30_000 }
const longestPauseMs = 120_000

/** Judges traces; those that are gone have no outcome. A trace whose judge fails is a failed one. */
export async function judgeTraces(
  tools: JudgingTools,
  projectId: string,
  judge: ReadyJudge,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for await (const bodies of tools.traces.bodies(projectId, ids, maxBytes)) {
    signal.throwIfAborted()
    const { byModel } = judge
    outcomes.push(
      ...(byModel
        ? await Promise.all(
            bodies.map((each) => judgeByModel(tools, projectId, { ...judge, byModel }, each, signal)),
          )
        : await judgeLocally(tools, projectId, judge, bodies, signal)),
    )
  }
  return outcomes
}

function needsExpected({ needs }: ReadyJudge): boolean {
  return needs.includes('expected_output')
}

async function judgeLocally(
  { local }: JudgingTools,
  projectId: string,
  judge: ReadyJudge,
  bodies: readonly Body[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const scorer = { slug: judge.slug, needsExpected: needsExpected(judge) }
  const given = bodies.map(({ body }) => body)
  const results = await local.judgeBodies(projectId, scorer, given, signal)
  return bodies.map(({ traceId }, index) => toOutcome(traceId, results[index] ?? null))
}

function toOutcome(traceId: string, result: LocalResult): Outcome {
  if (result === null) return { kind: 'skipped', traceId, reason: 'no_expected_output' }
  if (typeof result === 'string') return { kind: 'failed', traceId, reason: result, cost: null }
  return { kind: 'scored', traceId, ...result, cost: null }
}

async function judgeByModel(
  { judges, modelCalls }: JudgingTools,
  projectId: string,
  judge: ReadyJudge & { byModel: Graded },
  { traceId, body }: Body,
  signal: AbortSignal,
): Promise<Outcome> {
  const judged = judgedOf(body)
  if (needsExpected(judge) && judged.expected_output === undefined) {
    return { kind: 'skipped', traceId, reason: 'no_expected_output' }
  }
  const costOf = (usages: readonly ModelUsage[]) => judges.costOf(projectId, judge.byModel.name, usages)
  try {
    const grade = () => modelCalls.run([projectId], () => judge.byModel.grade(judged, signal), signal)
    const graded = await patiently(grade, signal)
    const { score, reasoning, usages } = graded
    return { kind: 'scored', traceId, score, reasoning, cost: await costOf(usages) }
  } catch (error) {
    signal.throwIfAborted()
    // What is none of ours is no fault of the trace: a price that could not be read, say.
    if (!(error instanceof CairnError)) throw error
    const cost = error instanceof UngradedError ? await costOf(error.usages) : null
    return { kind: 'failed', traceId, reason: reasonOf(error), cost }
  }
}

/** A model that answers, if badly, was asked often enough already. */
function mayPass({ isRetryable, failure }: ModelError): boolean {
  return isRetryable && failure !== 'garbled'
}

/** With what the provider answered, as far as there is more to it than the message says. */
function reasonOf(error: CairnError): string {
  const detail = error instanceof ModelError ? error.detail : ''
  return storable(
    detail === '' || error.message.endsWith(detail) ? error.message : `${error.message}: ${detail}`,
  )
}

/** Tries again what may well succeed later; nobody waits for the answer. */
async function patiently<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let round = 1; ; round++) {
    signal.throwIfAborted()
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ModelError) || !mayPass(error) || round === rounds) throw error
      const wait = Math.max(backoffMs(round, backoff), error.retryAfterMs ?? 0)
      if (wait > longestPauseMs) throw error
      await pause(wait, undefined, { signal }).catch(() => {})
    }
  }
}
