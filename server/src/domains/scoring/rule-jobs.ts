import { CairnError } from '@cairn/contract'
import { type Queue, turnMs } from '../../jobs/index.ts'
import type { ReadyJudge } from '../scorers/index.ts'
import { conditionsOf, storedFilter } from './filter.ts'
import { type Outcome, scoreRows } from './outcome.ts'
import { type JudgingTools, judgeTraces, stepSize } from './score-traces.ts'
import type { Arrival, RuleJob, RuleRow, RuleStore } from './store-rules.ts'

interface Options extends JudgingTools {
  store: RuleStore
}

/** Rows of arrivals that are read for one step; those that one trace came by alone have a row each. */
const rowsPerStep = 200

/** The background work of rules: a rule with traces to look at has one job, which ends when there are none. */
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

/** Looks at the next traces; false when there are none, or the rule does not want to see them. */
async function takeStep(options: Options, job: RuleJob, signal: AbortSignal): Promise<boolean> {
  const rule = await options.store.find(job.project_id, job.rule_id)
  if (rule?.enabled !== 1) return false
  const judge = await openJudge(options, rule)
  const size = typeof judge === 'string' || !judge.byModel ? stepSize.local : stepSize.model
  const arrivals = upTo(await options.store.arrivals(job, rowsPerStep), size)
  if (arrivals.length === 0) return false
  const ids = arrivals.flatMap(({ traceIds }) => traceIds)
  const meeting = await options.traces.meeting(job.project_id, conditionsOf(storedFilter(rule.filter)), ids)
  const outcomes =
    typeof judge === 'string'
      ? meeting.map((traceId): Outcome => ({ kind: 'failed', traceId, reason: judge, cost: null }))
      : await judgeTraces(options, job.project_id, judge, meeting, signal)
  const model = typeof judge === 'string' ? null : (judge.byModel?.name ?? null)
  const { project_id: projectId, rule_id: sourceId, scorer } = rule
  const scores = scoreRows({ projectId, source: 'rule', sourceId, scorer, model }, outcomes)
  return options.store.settle(job, { arrivals, outcomes, scores })
}

/** The judge, or why there is none any more. */
async function openJudge({ judges }: Options, { project_id, scorer }: RuleRow): Promise<ReadyJudge | string> {
  try {
    return await judges.open(project_id, scorer)
  } catch (error) {
    if (error instanceof CairnError) return error.message
    throw error
  }
}

/** The first arrivals that hold so many traces, at least one. */
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
