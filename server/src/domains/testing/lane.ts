import { type Assertion, type AssertionResult, CairnError, type Judgement } from '@cairn/contract'
import { type JobOutcome, type Queue, turnMs } from '../../jobs/index.ts'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import { storable } from '../../lib/storable.ts'
import { extractiveModel } from '../../models/catalogue.ts'
import type { TraceReader, TraceRecorder } from '../traces/index.ts'
import type { TargetCall } from './call.ts'
import { type Evaluators, evaluate, type Outcome, scoreAnswer } from './evaluate.ts'
import type { NewResult, ResultRow, ResultStore, Taken } from './store-results.ts'
import type { LaneJob, RunRow } from './store-runs.ts'
import { type CaseCall, type OpenTarget, openTarget } from './targets.ts'
import { traceIdOf } from './trace-id.ts'
import type { RunWatch } from './watch.ts'

export interface LaneDependencies {
  results: ResultStore
  traceReader: Pick<TraceReader, 'find'>
  traceRecorder: Pick<TraceRecorder, 'createOnce'>
  watch: RunWatch
  box: SecretBox
  call: (target: OpenTarget, call: CaseCall, signal: AbortSignal) => Promise<TargetCall>
  /** The evaluators for one case. `spent` is called with the cost of each scoring (USD, null if unknown). */
  evaluators: (projectId: string, spent: (cost: number | null) => void, signal: AbortSignal) => Evaluators
  /** Maximum cases that this process runs at the same time. */
  concurrency: number
  /** Starts the deliveries of the event of an ended run. */
  wakeEvents: () => void
}

type StoredCall = Awaited<ReturnType<TraceRecorder['createOnce']>>

/** A case fails after this number of attempts that ended with a crash of the process. */
const maxAttempts = 5
const pauseMs = 500

/**
 * Jobs of runs. One job is a lane of a run, which runs one case after another. The transaction that writes a result also
 * takes the next case. If the process dies, the lane continues with its current case.
 */
export function laneJobs(dependencies: LaneDependencies): Queue {
  const { results, watch, wakeEvents, concurrency } = dependencies

  async function work(job: LaneJob, signal: AbortSignal): Promise<JobOutcome> {
    const endOfTurn = Date.now() + turnMs
    let taken = await results.begin(job)
    if (taken === undefined) wakeEvents()
    while (taken?.next) {
      const isLast = Date.now() >= endOfTurn
      const result = await runCase(taken, taken.next, dependencies, signal)
      const after = await results.finish(job, taken.next.position, result, !isLast)
      if (after && after.run.passed + after.run.failed === after.run.total) {
        wakeEvents()
        return 'done'
      }
      if (isLast) return after ? { retryAt: Date.now() } : 'done'
      taken = after?.next ? after : await results.begin(job)
    }
    return 'done'
  }

  return {
    concurrency,
    // No limit, because each turn counts as an attempt.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    backoff: { baseMs: 500, maxMs: 30_000 },
    run({ payload }, signal) {
      const job = payload as LaneJob
      return watch.during(job.project_id, job.run_id, async (ended) => {
        try {
          return await work(job, AbortSignal.any([signal, ended]))
        } catch (error) {
          // The run has ended, so its interrupted case is not stored. Without an end, the job is retried.
          if (ended.aborted && !signal.aborted) return 'done'
          // The project was deleted, or the queue of traces is full. The next attempt finds out.
          if (error instanceof CairnError) return { retryAt: Date.now() + pauseMs, error: error.message }
          throw error
        }
      })
    },
  }
}

async function runCase(
  { run }: Taken,
  row: ResultRow,
  dependencies: LaneDependencies,
  signal: AbortSignal,
): Promise<NewResult> {
  signal.throwIfAborted()
  const call = await callOnce(run, row, dependencies, signal)
  const assertions = JSON.parse(row.assertions) as Assertion[]
  const outcome: Outcome = {
    query: row.query,
    expectedAnswer: row.expected_answer,
    output: storable(call.output),
    latencyMs: call.latency_ms ?? 0,
    cost: call.cost ?? (call.model === extractiveModel ? 0 : null),
  }
  const common = {
    actual_output: call.status === 'success' ? outcome.output : '',
    latency_ms: outcome.latencyMs,
    cost: outcome.cost,
    trace_id: call.trace_id,
  }
  if (call.status === 'error') {
    const error = storable(call.error ?? 'the target did not respond')
    const verdicts = assertions.map((each) => ({ ...each, passed: false, message: 'there is no output' }))
    return { ...common, ...encode(verdicts, null), passed: false, judge_cost: null, error }
  }
  return {
    ...common,
    ...(await scoreCase(run.project_id, assertions, outcome, dependencies, signal)),
    error: null,
  }
}

async function scoreCase(
  projectId: string,
  assertions: readonly Assertion[],
  outcome: Outcome,
  { evaluators }: LaneDependencies,
  signal: AbortSignal,
) {
  let scoringCost: number | null = null
  const spent = (cost: number | null) => {
    if (cost !== null) scoringCost = (scoringCost ?? 0) + cost
  }
  const ready = evaluators(projectId, spent, signal)
  const verdicts: AssertionResult[] = []
  for (const assertion of assertions) {
    verdicts.push(await evaluate(assertion, outcome, ready))
    signal.throwIfAborted()
  }
  const judgement = assertions.length === 0 ? await scoreAnswer(outcome, ready.scoreOutput) : null
  signal.throwIfAborted()
  const passed = judgement
    ? judgement.score !== null && judgement.score >= judgement.threshold
    : verdicts.every((verdict) => verdict.passed)
  return { ...encode(verdicts, judgement), passed, judge_cost: scoringCost }
}

function encode(verdicts: AssertionResult[], judgement: Judgement | null) {
  return {
    // JSON escapes characters that PostgreSQL rejects in text.
    verdicts: JSON.stringify(verdicts),
    judgement: judgement && JSON.stringify(judgement),
  }
}

/** Calls the target for a case and writes the trace. If an earlier attempt has written the trace, it does not call again. */
async function callOnce(
  run: RunRow,
  row: ResultRow,
  { traceReader, traceRecorder, call, box }: LaneDependencies,
  signal: AbortSignal,
): Promise<StoredCall> {
  const traceId = traceIdOf(run.run_id, row.case_id)
  const before = row.attempts > 1 ? await traceReader.find(run.project_id, traceId) : undefined
  if (before) return before
  const { project_id: projectId, version, timeout_ms: timeoutMs } = run
  const caseCall = { query: row.query, projectId, version, timeoutMs }
  const target = openOrProblem(run, row, box)
  const { trace, openCharge }: TargetCall =
    'problem' in target
      ? { trace: { input: row.query, output: '', status: 'error', error: target.problem } }
      : await call(target, caseCall, signal)
  const complete = {
    ...trace,
    tags: [...(trace.tags ?? []), 'test-run'],
    version,
    custom_attributes: {
      ...trace.custom_attributes,
      run_id: run.run_id,
      suite_id: run.suite_id,
      case_id: row.case_id,
    },
  }
  return traceRecorder
    .createOnce(projectId, traceId, complete, openCharge?.charge)
    .finally(() => openCharge?.close())
}

function openOrProblem(run: RunRow, row: ResultRow, box: SecretBox): OpenTarget | { problem: string } {
  if (row.attempts > maxAttempts) {
    return { problem: `the server stopped during each of ${maxAttempts} attempts of this case` }
  }
  try {
    return openTarget(run, box, run.run_id) ?? { problem: 'the run has no target' }
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    return {
      problem:
        'the headers of the target cannot be decrypted: they were encrypted with another encryption key; set the target again',
    }
  }
}
