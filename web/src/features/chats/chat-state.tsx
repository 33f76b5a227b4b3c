import type { Chat } from '@cairn/sdk'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { differentSettings } from './setting-fields.ts'

/** Whether the settings of a chat are published, and whether its draft differs from them. */
export function PublicationBadge({ chat }: { chat: Chat }) {
  if (!chat.published_settings) return <StatusBadge kind="info">Not published</StatusBadge>
  const differs = differentSettings(chat.settings, chat.published_settings).length > 0
  return differs ? (
    <StatusBadge kind="warning">Draft differs</StatusBadge>
  ) : (
    <StatusBadge kind="success">Published</StatusBadge>
  )
}

export function AccessBadge({ chat }: { chat: Chat }) {
  return chat.api_access_enabled ? (
    <StatusBadge kind="success">On</StatusBadge>
  ) : (
    <StatusBadge kind="info">Off</StatusBadge>
  )
}
