import type { Chat } from '@cairn/contract'
import { toIso } from '../../lib/time.ts'
import type { ChatRow } from './store.ts'

export function toChat(row: ChatRow, fileCount: number): Chat {
  return {
    chat_id: row.chat_id,
    project_id: row.project_id,
    title: row.title,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    file_count: fileCount,
    api_access_enabled: row.api_access_enabled,
    published: row.published_settings !== null,
    published_at: row.published_at === null ? null : toIso(row.published_at),
    settings: row.draft_settings,
    published_settings: row.published_settings,
  }
}
