import type { CaseResult, Run } from '@cairn/sdk'
import { formatShare } from '../../ui/format.ts'
import { Mark } from '../../ui/status-badge.tsx'

/** How a run stands: its state while it goes on, its pass rate when it is over. */
export function RunMark({ run }: { run: Run }) {
  const { status, passed, failed, total } = run
  if (status === 'running') return <Mark kind="running">{`${passed + failed} of ${total}`}</Mark>
  if (status === 'failed') return <Mark kind="error">Not carried out</Mark>
  if (status === 'cancelled') return <Mark kind="warning">Cancelled</Mark>
  if (total === 0) return <Mark kind="info">No cases</Mark>
  if (failed === 0) return <Mark kind="success">All passed</Mark>
  return <Mark kind={passed === 0 ? 'error' : 'warning'}>{`${failed} failed`}</Mark>
}

/** The pass rate, where there is anything to have one. */
export function passRateOf({ passed, failed, pass_rate }: Run): string {
  return passed + failed === 0 ? '–' : formatShare(pass_rate)
}

export function ResultMark({ result }: { result: Pick<CaseResult, 'passed' | 'error'> }) {
  if (result.passed) return <Mark kind="success">Passed</Mark>
  if (result.error !== null) return <Mark kind="warning">Error</Mark>
  return <Mark kind="error">Failed</Mark>
}

/** What people know a run by. */
export function runTitle({ name, version, run_id: runId }: Run): string {
  return name ?? (version ? `Version ${version}` : `Run ${runId.slice(-6)}`)
}
