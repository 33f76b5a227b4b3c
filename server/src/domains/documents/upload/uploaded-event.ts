import type { NewEvent } from '../../events/index.ts'
import { type FileOwner, hiddenFile } from '../file-owner.ts'
import type { NewDocument } from './new-document.ts'

/** The `file_uploaded` event of a document that is now searchable; `fileType` is its extension. */
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
  return owner
    ? { ...common, data: { ...data, ...hiddenFile }, userEvent: { chatId, data } }
    : { ...common, data }
}
