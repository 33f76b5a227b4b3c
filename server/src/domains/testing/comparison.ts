import type { CaseChange, ComparedCase, Run, RunComparison } from '@cairn/contract'
import { changePercent } from '../../lib/change-percent.ts'
import type { ComparedRow } from './store-results.ts'

function sideOf(row: ComparedRow | undefined) {
  return row ? { passed: row.passed === 1, latency_ms: row.latency_ms, cost: row.cost } : null
}

function changeOf(a: ComparedRow | undefined, b: ComparedRow | undefined): CaseChange {
  if (!b) return 'only_in_a'
  if (!a) return 'only_in_b'
  if (a.passed === b.passed) return 'same'
  return b.passed === 1 ? 'improved' : 'regressed'
}

function compareCase(a: ComparedRow | undefined, b: ComparedRow | undefined): ComparedCase {
  const { case_id = '', query = '' } = b ?? a ?? {}
  return { case_id, query, change: changeOf(a, b), a: sideOf(a), b: sideOf(b) }
}

/** Compares two runs case by case: first the cases of run a in their order, then the cases that only run b has. */
export function compareRuns(
  [runA, rowsA]: [Run, readonly ComparedRow[]],
  [runB, rowsB]: [Run, readonly ComparedRow[]],
): RunComparison {
  const inB = new Map(rowsB.map((row) => [row.case_id, row]))
  const inA = new Set(rowsA.map((row) => row.case_id))
  const cases = [
    ...rowsA.map((row) => compareCase(row, inB.get(row.case_id))),
    ...rowsB.filter((row) => !inA.has(row.case_id)).map((row) => compareCase(undefined, row)),
  ]
  const count = (change: CaseChange) => cases.filter((each) => each.change === change).length
  return {
    run_a: runA,
    run_b: runB,
    diff: {
      pass_rate_change: runB.pass_rate - runA.pass_rate,
      latency_change_pct: changePercent(runA.avg_latency_ms, runB.avg_latency_ms),
      cost_change_pct: changePercent(runA.total_cost, runB.total_cost),
    },
    counts: {
      improved: count('improved'),
      regressed: count('regressed'),
      same: count('same'),
      only_in_a: count('only_in_a'),
      only_in_b: count('only_in_b'),
    },
    cases,
  }
}
