import type { Scoring } from '@cairn/sdk'
import { StatusBadge, type StatusKind } from '../../ui/status-badge.tsx'

const states: Record<Scoring['state'], [StatusKind, string]> = {
  running: ['running', 'Running'],
  completed: ['success', 'Completed'],
  failed: ['error', 'Failed'],
  cancelled: ['info', 'Cancelled'],
}

/** The state of a batch as a badge. */
export function BatchState({ state }: { state: Scoring['state'] }) {
  const [kind, word] = states[state]
  return <StatusBadge kind={kind}>{word}</StatusBadge>
}
