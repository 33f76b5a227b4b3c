import type { NewEvent } from '../../events/index.ts'
import { type FileOwner, hiddenFile } from '../file-owner.ts'
import type { RemovedFile } from './store-removal.ts'

/** What the log says of a file that was taken out. */
export function deletedEvent(
  chatId: string,
  fileId: string,
  removed: RemovedFile,
  owner?: FileOwner,
): NewEvent {
  const timestamp = Date.now()
  const data = {
    event: 'file_deleted' as const,
    chat_id: chatId,
    file_id: fileId,
    app_id: owner?.appId ?? null,
    user_id: owner?.userId ?? null,
    filename: removed.filename,
    size_freed: removed.sizeBytes,
    chunks_removed: removed.chunkCount,
    timestamp,
  }
  const common = { projectId: removed.projectId, type: 'file_deleted', createdMs: timestamp } as const
  return owner
    ? { ...common, data: { ...data, ...hiddenFile }, userEvent: { chatId, data } }
    : { ...common, data }
}
