import type { CaseResult, Run } from '@cairn/sdk'
import { formatShare } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** How a run stands: its state while it goes on, its pass rate when it is over. */
export function RunBadge({ run }: { run: Run }) {
  const { status, passed, failed, total } = run
  if (status === 'running')
    return <StatusBadge kind="running">{`${passed + failed} of ${total}`}</StatusBadge>
  if (status === 'failed') return <StatusBadge kind="error">Not carried out</StatusBadge>
  if (status === 'cancelled') return <StatusBadge kind="warning">Cancelled</StatusBadge>
  if (total === 0) return <StatusBadge kind="info">No cases</StatusBadge>
  if (failed === 0) return <StatusBadge kind="success">All passed</StatusBadge>
  return <StatusBadge kind={passed === 0 ? 'error' : 'warning'}>{`${failed} failed`}</StatusBadge>
}

/** The pass rate, where there is anything to have one. */
export function passRateOf({ passed, failed, pass_rate }: Run): string {
  return passed + failed === 0 ? '–' : formatShare(pass_rate)
}

export function ResultBadge({ result }: { result: Pick<CaseResult, 'passed' | 'error'> }) {
  if (result.passed) return <StatusBadge kind="success">Passed</StatusBadge>
  if (result.error !== null) return <StatusBadge kind="warning">Error</StatusBadge>
  return <StatusBadge kind="error">Failed</StatusBadge>
}

/** What people know a run by. */
export function runTitle({ name, version, run_id: runId }: Run): string {
  return name ?? (version ? `Version ${version}` : `Run ${runId.slice(-6)}`)
}
