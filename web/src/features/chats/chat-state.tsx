import type { Chat } from '@cairn/sdk'
import { Mark } from '../../ui/status-badge.tsx'
import { differentSettings } from './setting-fields.ts'

/** Whether a chat answers over its API, and whether with what its draft says. */
export function PublicationMark({ chat }: { chat: Chat }) {
  if (!chat.published_settings) return <Mark kind="info">Not published</Mark>
  const differs = differentSettings(chat.settings, chat.published_settings).length > 0
  return differs ? <Mark kind="warning">Draft differs</Mark> : <Mark kind="success">Published</Mark>
}

export function AccessMark({ chat }: { chat: Chat }) {
  return chat.api_access_enabled ? <Mark kind="success">On</Mark> : <Mark kind="info">Off</Mark>
}
