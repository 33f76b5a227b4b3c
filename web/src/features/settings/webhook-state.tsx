import type { Webhook } from '@cairn/sdk'
import { StatusBadge } from '../../ui/status-badge.tsx'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.enabled) return <StatusBadge kind="success">On</StatusBadge>
  return <StatusBadge kind="warning">Off</StatusBadge>
}
