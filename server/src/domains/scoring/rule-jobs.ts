import { CairnError } from '@cairn/contract'
import { type Queue, turnMs } from '../../jobs/index.ts'
import type { ReadyScorer } from '../scorers/index.ts'
import { conditionsOf, storedFilter } from './filter.ts'
import { type Outcome, scoreRows } from './outcome.ts'
import { type ScoringTools, scoreTraces, stepSize } from './score-traces.ts'
import type { Arrival, RuleJob, RuleRow, RuleStore } from './store-rules.ts'

interface Options extends ScoringTools {
  store: RuleStore
}

/** Rows of arrivals that are read for one step. A row contains 1 to 20 traces. */
const rowsPerStep = 200

/** Jobs of rules. A rule with waiting traces has one job, which ends when no traces are left. */
export function ruleJobs(options: Options): Queue {
  return {
    concurrency: 8,
    perProject: 3,
    maxAttempts: 1000,
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const job = payload as RuleJob
      const endOfTurn = Date.now() + turnMs
      do {
        while (await takeStep(options, job, signal)) {
          signal.throwIfAborted()
          if (Date.now() >= endOfTurn) return 'again'
        }
        signal.throwIfAborted()
      } while (!(await options.store.endJob(job)))
      return 'done'
    },
  }
}

/** Scores the next waiting traces. Returns false if there are none, or if the rule is disabled or deleted. */
async function takeStep(options: Options, job: RuleJob, signal: AbortSignal): Promise<boolean> {
  const rule = await options.store.find(job.project_id, job.rule_id)
  if (rule?.enabled !== 1) return false
  const readyScorer = await openScorer(options, rule)
  const size = typeof readyScorer === 'string' || !readyScorer.byModel ? stepSize.local : stepSize.model
  const arrivals = upTo(await options.store.arrivals(job, rowsPerStep), size)
  if (arrivals.length === 0) return false
  const ids = arrivals.flatMap(({ traceIds }) => traceIds)
  const matching = await options.traces.matching(job.project_id, conditionsOf(storedFilter(rule.filter)), ids)
  const outcomes =
    typeof readyScorer === 'string'
      ? matching.map((traceId): Outcome => ({ kind: 'failed', traceId, reason: readyScorer, cost: null }))
      : await scoreTraces(options, job.project_id, readyScorer, matching, signal)
  const model = typeof readyScorer === 'string' ? null : (readyScorer.byModel?.name ?? null)
  const { project_id: projectId, rule_id: sourceId, scorer } = rule
  const scores = scoreRows({ projectId, source: 'rule', sourceId, scorer, model }, outcomes)
  return options.store.settle(job, { arrivals, outcomes, scores })
}

/** The scorer of the rule, or the reason why it cannot be used any more. */
async function openScorer(
  { scoring }: Options,
  { project_id, scorer }: RuleRow,
): Promise<ReadyScorer | string> {
  try {
    return await scoring.open(project_id, scorer)
  } catch (error) {
    if (error instanceof CairnError) return error.message
    throw error
  }
}

/** The first arrivals with at least `size` traces in total, or all of them. */
function upTo(arrivals: readonly Arrival[], size: number): Arrival[] {
  const taken: Arrival[] = []
  let traces = 0
  for (const arrival of arrivals) {
    if (traces >= size) break
    taken.push(arrival)
    traces += arrival.traceIds.length
  }
  return taken
}
