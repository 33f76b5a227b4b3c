/*
 * Upload, extraction, chunking, list, status, editing and deletion of documents. The sub-folders `upload/`, `extraction/`,
 * `edit/` and `delete/` have the operations; this folder has list and status of files, and `store-changes.ts`, which every
 * change of documents uses.
 *
 * - A child process checks that the bytes match the extension, extracts the text, splits it into chunks with exact ranges and
 *   makes the segment. It packs text and chunks into bytes that the database writer unpacks, so the event loop does not
 *   handle megabytes of text.
 * - Writes use small transactions, one at a time in the whole process (`upload/store-steps.ts`). Reads use the views `documents`
 *   and `chunks`, which hide unfinished documents; writes use `document_rows` and `chunk_rows`.
 * - The same bytes in one chat at the same time, or within 30 seconds, are one file.
 * - Files take turns (`extraction/turns.ts`). Every file starts in a quick place. When its try is over, it moves to a long
 *   place, if one is free. If none is free and others wait, its child is ended, and the file starts again later. The first
 *   try takes half a second, the next two tries take one and two seconds, and then the file waits for a long place. Both
 *   kinds of places are fair queues, and only extraction counts towards the time limit. If the client disconnects, a
 *   waiting file is removed.
 * - A deletion is one transaction that locks the chat's row. It hides the document, deletes its relationships and its
 *   segment, raises the chat's index version and writes the event `file_deleted`. Of two concurrent deletions, one finds
 *   nothing. The other rows are deleted in small transactions before the response, and then the file's id is free.
 * - A half-written or half-deleted document has a lease. A sweep at the start and every minute deletes it after the lease.
 * - Edits of chunks lock the chat's row, and keep the document's text and the ranges of its chunks consistent.
 */

export {
  CleanupService,
  createCleanupStore,
  createDocumentSweeper,
  leaseMs,
} from './delete/index.ts'
export {
  checkProperties,
  createEditStore,
  EditService,
  mergeProperties,
  type PropertyChanges,
} from './edit/index.ts'
export { createExtractionPool } from './extraction/index.ts'
export { FileService } from './files.ts'
export { documentRoutes } from './routes.ts'
export { fileRoutes } from './routes-files.ts'
export { internalRoutes } from './routes-internal.ts'
export { userFileRoutes } from './routes-me.ts'
export { withLockedChat } from './store-changes.ts'
export { createFileStore } from './store-files.ts'
export { countRelating, type RelatingJob, relatingQueue } from './store-relating.ts'
export {
  deleteRelationship,
  deleteRelationshipsMadeFrom,
  insertRelationships,
  keepLinkProperties,
  updateRelationship,
} from './store-relationships.ts'
export {
  createDocumentStore,
  DocumentReader,
  DocumentService,
  RunningUploads,
  TextService,
} from './upload/index.ts'
export { UserFileService } from './user-files.ts'
