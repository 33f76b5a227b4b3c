import type { CaseResult, Run } from '@cairn/sdk'
import { formatShare } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** The state of a run: its progress while it runs, else its outcome. */
export function RunBadge({ run }: { run: Run }) {
  const { status, passed, failed, total } = run
  if (status === 'running')
    return <StatusBadge kind="running">{`${passed + failed} of ${total}`}</StatusBadge>
  if (status === 'failed') return <StatusBadge kind="error">Failed</StatusBadge>
  if (status === 'cancelled') return <StatusBadge kind="warning">Cancelled</StatusBadge>
  if (total === 0) return <StatusBadge kind="info">No cases</StatusBadge>
  if (failed === 0) return <StatusBadge kind="success">All passed</StatusBadge>
  return <StatusBadge kind={passed === 0 ? 'error' : 'warning'}>{`${failed} failed`}</StatusBadge>
}

/** The pass rate of a run; a dash if no case has a result. */
export function passRateOf({ passed, failed, pass_rate }: Run): string {
  return passed + failed === 0 ? '–' : formatShare(pass_rate)
}

export function ResultBadge({ result }: { result: Pick<CaseResult, 'passed' | 'error'> }) {
  if (result.passed) return <StatusBadge kind="success">Passed</StatusBadge>
  if (result.error !== null) return <StatusBadge kind="warning">Error</StatusBadge>
  return <StatusBadge kind="error">Failed</StatusBadge>
}

/** The display name of a run. */
export function runTitle({ name, version, run_id: runId }: Run): string {
  return name ?? (version ? `Version ${version}` : `Run ${runId.slice(-6)}`)
}
