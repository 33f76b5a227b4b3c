import type { NewEvent } from '../events/index.ts'
import type { RemovedFile } from './delete/store-files.ts'
import type { FileOwner } from './file-owner.ts'
import type { NewDocument } from './upload/new-document.ts'

/** What nobody but the owner of a file sees of it. */
const hidden = { file_id: null, filename: null }

/** What the log says of a document that is searchable now; `fileType` is its extension. */
export function uploadedEvent(
  projectId: string,
  document: NewDocument,
  {
    fileType,
    processingMs,
    owner,
  }: { fileType: string; processingMs: number; owner?: FileOwner | undefined },
): NewEvent {
  const { chatId, fileId, filename, sizeBytes, content, createdMs } = document
  const data = {
    chat_id: chatId,
    file_id: fileId,
    filename,
    ...(owner && { app_id: owner.appId, user_id: owner.userId }),
    size_bytes: sizeBytes,
    file_type: fileType,
    processing_ms: Math.round(processingMs),
    chunk_count: content.chunkCount,
    timestamp: createdMs,
  }
  const common = { projectId, type: 'file_uploaded', createdMs } as const
  return owner ? { ...common, data: { ...data, ...hidden }, own: { chatId, data } } : { ...common, data }
}

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
  return owner ? { ...common, data: { ...data, ...hidden }, own: { chatId, data } } : { ...common, data }
}
