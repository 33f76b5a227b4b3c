import type { CaseResult, Run, SuiteSummary } from '@cairn/sdk'
import { bar, count, duration, plural } from './progress.ts'
import { columns, dollars, milliseconds, oneLine, percent } from './tables.ts'

/** Maximum number of failed cases in the terminal; the report files have all of them. */
const shown = 50

function secondsOf({ started_at, completed_at }: Run): number | undefined {
  return completed_at === null ? undefined : (Date.parse(completed_at) - Date.parse(started_at)) / 1000
}

/** The progress of a run, `seconds` after its start. */
export function progressLine({ passed, failed, total }: Run, seconds: number): string {
  const done = passed + failed
  const share = total === 0 ? 1 : done / total
  const left = done === 0 ? '' : `, ${duration(((total - done) / done) * seconds)} left`
  const text = `${count(done)} of ${plural(total, 'case')}, ${count(failed)} failed${left}`
  return `${bar(share)} ${`${Math.floor(share * 100)} %`.padStart(5)}  ${text}`
}

/** The numbers of a run, in two columns. */
export function summaryOf(run: Run, suite: SuiteSummary, failUnder: number): string[] {
  const errors = run.errors > 0 ? ` (${count(run.errors)} without an answer)` : ''
  const seconds = secondsOf(run)
  const below = run.pass_rate < failUnder ? `, below ${percent(failUnder)}` : ''
  const rows = [
    ['suite', `${oneLine(suite.name)} (${suite.suite_id})`],
    ['run', `${run.run_id} ${run.status}`],
    ...(run.version === null ? [] : [['version', oneLine(run.version)]]),
    ['passed', `${count(run.passed)} of ${count(run.total)}`],
    ['failed', `${count(run.failed)}${errors}`],
    ['pass rate', `${percent(run.pass_rate)}${below}`],
    ...(seconds === undefined
      ? []
      : [['duration', seconds < 60 ? `${seconds.toFixed(1)}s` : duration(seconds)]]),
    ['latency', `${milliseconds(run.avg_latency_ms)} on average`],
    ['cost', dollars(run.total_cost)],
  ]
  const lines = columns(rows)
  if (run.error !== null) lines.push('', oneLine(run.error, 1000))
  if (run.total === 0) lines.push('', 'the suite has no cases: import some with cairn import-cases')
  return lines
}

/** Why a case failed: no answer, its first failed assertion, or the explanation of its scorer. */
function reasonOf({ error, assertions, judgement }: CaseResult): string {
  if (error !== null) return `no answer: ${error}`
  const failed = assertions.find(({ passed }) => !passed)
  if (failed) return `${failed.type}: ${failed.message ?? failed.reasoning ?? 'not met'}`
  return judgement
    ? `${judgement.scorer} ${judgement.score ?? 'without a score'}: ${judgement.reasoning}`
    : ''
}

export function failedCases(results: readonly CaseResult[]): string[] {
  const failed = results.filter(({ passed }) => !passed)
  const lines = failed
    .slice(0, shown)
    .flatMap((result) => [
      `  ${oneLine(result.query)} (${result.case_id})`,
      `    ${oneLine(reasonOf(result), 200)}`,
    ])
  if (failed.length > shown) {
    lines.push(`  and ${count(failed.length - shown)} more; --junit and --json write all of them`)
  }
  return ['', 'failed cases', ...lines]
}
