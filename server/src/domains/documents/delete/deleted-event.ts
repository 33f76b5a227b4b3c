import type { NewEvent } from '../../events/index.ts'
import { type FileOwner, hiddenFile } from '../file-owner.ts'
import type { RemovedFile } from './store-removal.ts'

/**
 * The `file_deleted` event of a file. If the file belongs to an end user, the developer's copy hides its id and name.
 */
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
