import type {
  Assertion,
  AssertionResult,
  Case,
  CaseResult,
  Judgement,
  Run,
  Suite,
  SuiteRun,
  Target,
} from '@cairn/contract'
import { toIso, toIsoOrNull } from '../../lib/time.ts'
import type { FinishedRow } from './store-results.ts'
import { passRateOf, type RunRow } from './store-runs.ts'
import type { CaseRow, CountedSuite } from './store-suites.ts'

/** Conversions of rows to the types of the API. */

export function toSuiteSummary(row: CountedSuite) {
  const { suite_id, name, description, case_count, created_at } = row
  return {
    suite_id,
    name,
    description,
    tags: JSON.parse(row.tags) as string[],
    case_count,
    created_at: toIso(created_at),
  }
}

export function toSuite(row: CountedSuite): Suite {
  return { ...toSuiteSummary(row), target: row.target === null ? null : (JSON.parse(row.target) as Target) }
}

export function toCase({ project_id: _, assertions, created_at, ...row }: CaseRow): Case {
  return { ...row, assertions: JSON.parse(assertions) as Assertion[], created_at: toIso(created_at) }
}

export function toRun(row: RunRow): Run {
  const { run_id, suite_id, status, name, notes, passed, failed, errors, total, error } = row
  const done = passed + failed
  return {
    run_id,
    suite_id,
    status,
    started_at: toIso(row.started_at),
    completed_at: toIsoOrNull(row.completed_at),
    name,
    notes,
    passed,
    failed,
    errors,
    total,
    pass_rate: passRateOf(row),
    avg_latency_ms: done === 0 ? 0 : row.latency_sum / done,
    total_cost: row.cost_sum,
    judge_cost: row.judge_cost,
    target: JSON.parse(row.target) as Target,
    version_id: row.version_id,
    version: row.version,
    concurrency: row.concurrency,
    timeout_ms: row.timeout_ms,
    error,
  }
}

export function toSuiteRun(row: RunRow): SuiteRun {
  const { run_id, started_at, passed, failed, total, pass_rate, avg_latency_ms, total_cost } = toRun(row)
  return { run_id, started_at, passed, failed, total, pass_rate, avg_latency_ms, total_cost }
}

export function toResult(row: FinishedRow): CaseResult {
  const { case_id, query, expected_answer, category, actual_output, passed, latency_ms } = row
  return {
    case_id,
    query,
    expected_answer,
    category,
    actual_output: actual_output ?? '',
    passed: passed === 1,
    latency_ms: latency_ms ?? 0,
    cost: row.cost,
    judge_cost: row.judge_cost,
    assertions: JSON.parse(row.verdicts ?? '[]') as AssertionResult[],
    judgement: row.judgement === null ? null : (JSON.parse(row.judgement) as Judgement),
    trace_id: row.trace_id,
    error: row.error,
  }
}
