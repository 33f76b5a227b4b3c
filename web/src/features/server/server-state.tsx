import { Mark } from '../../ui/status-badge.tsx'
import { useHealth } from './use-health.ts'

/** One line on how the server is. */
export function ServerState() {
  const { answer, failure } = useHealth()
  if (failure !== undefined) return <Mark kind="error">The server does not answer. Is it running?</Mark>
  if (!answer) return <span>Asking the server…</span>
  const { status, version } = answer.health
  if (status === 'unhealthy') return <Mark kind="error">The database does not answer</Mark>
  return <Mark kind="success">{`Version ${version}, healthy`}</Mark>
}
