import type { Scoring } from '@cairn/sdk'
import { Mark, type MarkKind } from '../../ui/status-badge.tsx'

const states: Record<Scoring['state'], [MarkKind, string]> = {
  running: ['running', 'Running'],
  completed: ['success', 'Completed'],
  failed: ['error', 'Failed'],
  cancelled: ['info', 'Cancelled'],
}

/** How a batch stands, as an icon and a word. */
export function BatchState({ state }: { state: Scoring['state'] }) {
  const [kind, word] = states[state]
  return <Mark kind={kind}>{word}</Mark>
}
