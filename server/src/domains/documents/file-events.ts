import type { NewEvent } from '../events/index.ts'
import type { NewDocument } from './new-document.ts'
import type { RemovedFile } from './store-files.ts'

/** What the log says of a document that is searchable now; `fileType` is its extension. */
export function uploadedEvent(
  projectId: string,
  document: NewDocument,
  { fileType, processingMs }: { fileType: string; processingMs: number },
): NewEvent {
  const { chatId, fileId, filename, sizeBytes, content, createdMs } = document
  return {
    projectId,
    type: 'file_uploaded',
    createdMs,
    data: {
      chat_id: chatId,
      file_id: fileId,
      filename,
      size_bytes: sizeBytes,
      file_type: fileType,
      processing_ms: Math.round(processingMs),
      chunk_count: content.chunkCount,
      timestamp: createdMs,
    },
  }
}

/** What the log says of a file that was taken out. */
export function deletedEvent(chatId: string, fileId: string, removed: RemovedFile): NewEvent {
  const timestamp = Date.now()
  return {
    projectId: removed.projectId,
    type: 'file_deleted',
    createdMs: timestamp,
    data: {
      event: 'file_deleted',
      chat_id: chatId,
      file_id: fileId,
      app_id: null,
      user_id: null,
      filename: removed.filename,
      size_freed: removed.sizeBytes,
      chunks_removed: removed.chunkCount,
      timestamp,
    },
  }
}
