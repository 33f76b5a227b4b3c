import { StatusBadge } from '../../ui/status-badge.tsx'
import { useHealth } from './use-health.ts'

/** The health of the server in one line. */
export function ServerState() {
  const { answer, failure } = useHealth()
  if (failure !== undefined)
    return <StatusBadge kind="error">The server does not respond. Is it running?</StatusBadge>
  if (!answer) return <span>Checking the server…</span>
  const { status, version } = answer.health
  if (status === 'unhealthy') return <StatusBadge kind="error">The database does not respond</StatusBadge>
  return <StatusBadge kind="success">{`Version ${version}, healthy`}</StatusBadge>
}
