import type { Webhook } from '@cairn/sdk'
import { Mark } from '../../ui/status-badge.tsx'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.enabled) return <Mark kind="success">On</Mark>
  return <Mark kind="warning">Off</Mark>
}
