import { StatusBadge } from '../../ui/status-badge.tsx'
import { useHealth } from './use-health.ts'

/** One line on how the server is. */
export function ServerState() {
  const { answer, failure } = useHealth()
  if (failure !== undefined)
    return <StatusBadge kind="error">The server does not answer. Is it running?</StatusBadge>
  if (!answer) return <span>Asking the server…</span>
  const { status, version } = answer.health
  if (status === 'unhealthy') return <StatusBadge kind="error">The database does not answer</StatusBadge>
  return <StatusBadge kind="success">{`Version ${version}, healthy`}</StatusBadge>
}
