/*
 * Upload, extraction, chunking, list, status, editing and deletion of documents.
 *
 * - A child process checks that the bytes match the extension, extracts the text, splits it into chunks with exact ranges and
 *   makes the segment. It packs text and chunks into bytes that the database writer unpacks, so the event loop does not
 *   handle megabytes of text.
 * - Writes use small transactions, one at a time in the whole process (`store-steps.ts`). Reads use the views `documents`
 *   and `chunks`, which hide unfinished documents; writes use `document_rows` and `chunk_rows`.
 * - The same bytes in one chat at the same time, or within 30 seconds, are one file.
 * - Files take turns (`extraction/turns.ts`). Every file starts in a quick place. After two seconds it moves to a long place,
 *   if one is free. If none is free and others wait, its child is ended, and the file starts again when its tenant gets a
 *   long place. Both kinds of places are fair queues, and only extraction counts towards the time limit. If the client
 *   disconnects, a waiting file is removed.
 * - A deletion hides the document, deletes its relationships and its segment, raises the chat's index version and writes the
 *   event `file_deleted`, in one transaction that locks the chat's row; of two concurrent deletions, one finds nothing. The
 *   other rows are deleted in small transactions before the response, and then the file's id is free.
 * - A half-written or half-deleted document has a lease. A sweep at the start and every minute deletes it after the lease.
 * - Edits of chunks lock the chat's row, and keep the document's text and the ranges of its chunks consistent.
 */

export { type Chunk, chunkText } from './chunking.ts'
export { CleanupService } from './cleanup.ts'
export { EditService } from './edits.ts'
export { extractText } from './extraction/extract.ts'
export { createExtractionPool, type ExtractionPool } from './extraction/pool.ts'
export { FileService } from './files.ts'
export { OwnFileService } from './own-files.ts'
export { checkProperties, mergeProperties, type PropertyChanges } from './properties.ts'
export { DocumentReader } from './readable.ts'
export { documentRoutes } from './routes.ts'
export { fileRoutes } from './routes-files.ts'
export { internalRoutes } from './routes-internal.ts'
export { ownFileRoutes } from './routes-me.ts'
export { DocumentService } from './service.ts'
export { createDocumentStore } from './store.ts'
export { changeKnowledge } from './store-changes.ts'
export { createCleanupStore } from './store-cleanup.ts'
export { createEditStore } from './store-edits.ts'
export { createFileStore } from './store-files.ts'
export { countRelating, type RelatingJob, relatingQueue } from './store-relating.ts'
export { documentSweeper, leaseMs } from './store-sweep.ts'
export { TextService } from './texts.ts'
export { RunningUploads } from './uploads.ts'
