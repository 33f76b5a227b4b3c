import {
  CairnError,
  type DeletedFile,
  type FileChunks,
  type FileChunksQuery,
  type FileList,
  type FileStatus,
  limits,
  type RemovedContext,
  type ScopeValues,
} from '@cairn/contract'
import { toIso } from '../../lib/time.ts'
import type { EventService } from '../events/index.ts'
import type { RemovedFile } from './delete/index.ts'
import { deletedEvent } from './delete/index.ts'
import type { FileOwner } from './file-owner.ts'
import type { FileStore } from './store-files.ts'
import type { RunningUploads } from './upload/index.ts'

function notFound(): CairnError {
  return new CairnError('not_found', 'file not found in this chat')
}

/**
 * Lists, reads and deletes the files of a chat. Stored files are searchable. Only the server process that receives an
 * upload knows it until it ends, and its failure for some minutes.
 */
export class FileService {
  readonly #store: FileStore
  readonly #events: EventService
  readonly #uploads: RunningUploads

  constructor(store: FileStore, events: EventService, uploads: RunningUploads) {
    this.#store = store
    this.#events = events
    this.#uploads = uploads
  }

  /** Newest first. `uploads` are the running uploads of this process. */
  async list(chatId: string): Promise<FileList> {
    // Read first: a file whose upload ends between the two reads may be in both lists, but never in neither.
    const uploads = this.#uploads.list(chatId)
    const rows = await this.#store.list(chatId)
    return {
      success: true,
      files: rows.map(({ created_at, scope_values, ...row }) => ({
        ...row,
        scope_values: JSON.parse(scope_values) as ScopeValues,
        upload_date: toIso(created_at),
      })),
      total_files: rows.length,
      total_size_bytes: rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
      ...(uploads.length > 0 && { uploads }),
    }
  }

  async status(chatId: string, fileId: string): Promise<FileStatus> {
    // Read first: otherwise a file whose upload ends between the two reads would not be found.
    const upload = this.#uploads.status(chatId, fileId)
    if (upload) return upload
    const row = await this.#store.find(chatId, fileId)
    if (!row) throw notFound()
    const { file_id, filename, size_bytes, chunk_count } = row
    return {
      success: true,
      file_id,
      status: 'ready',
      filename,
      size_bytes,
      chunk_count,
      progress: 100,
      message: `${filename} is searchable`,
      error: null,
    }
  }

  /** A page of a file's chunks in order: from `offset`, or the page that contains `chunk_id`. */
  async chunks(chatId: string, fileId: string, query: FileChunksQuery): Promise<FileChunks> {
    const { limit = limits.listDefault, chunk_id: chunkId } = query
    const file = await this.#store.find(chatId, fileId)
    if (!file) throw notFound()
    const order = chunkId === undefined ? undefined : await this.#store.chunkOrder(chatId, fileId, chunkId)
    if (chunkId !== undefined && order === undefined) {
      throw new CairnError('not_found', 'chunk not found in this file')
    }
    // Rounded down to a whole page, so that the same page is also reachable by its offset.
    const offset = order === undefined ? (query.offset ?? 0) : Math.floor(order / limit) * limit
    const { filename, chunk_count } = file
    const chunks = await this.#store.chunks(chatId, fileId, { offset, limit })
    return { file_id: fileId, filename, chunk_count, offset, chunks }
  }

  /**
   * Deletes the file. When the promise resolves, new questions, searches, graphs and lists do not use the file; an answer
   * in progress may still cite it. If the file is being uploaded, the deletion waits for the end of the upload.
   *
   * @param owner the end user, if it is a private chat
   * @throws CairnError `not_found`
   */
  async delete(chatId: string, fileId: string, owner?: FileOwner): Promise<RemovedFile> {
    await this.#uploads.ended(chatId, fileId)
    const event = (file: RemovedFile) => deletedEvent(chatId, fileId, file, owner)
    const removed = await this.#store.remove(chatId, fileId, event)
    if (!removed) throw notFound()
    this.#events.wake()
    return removed
  }

  /** `delete` with the response of `DELETE /v1/:chat_id/files/:file_id` and `DELETE /v1/me/chats/files/:file_id`. */
  async deleteForApi(chatId: string, fileId: string, owner?: FileOwner): Promise<DeletedFile> {
    const { filename, chunkCount, sizeBytes } = await this.delete(chatId, fileId, owner)
    return {
      success: true,
      message: `${filename} and its chunks are deleted`,
      file_id: fileId,
      filename,
      chunks_deleted: chunkCount,
      size_bytes_freed: sizeBytes,
    }
  }

  /**
   * `delete` with the response of `DELETE /remove_context/:file_id`. `nodes_deleted` counts the document and its chunks in
   * the graph.
   */
  async removeContext(chatId: string, fileId: string): Promise<RemovedContext> {
    const { filename, chunkCount } = await this.delete(chatId, fileId)
    return {
      status: 'success',
      message: `${filename} and its chunks are deleted`,
      nodes_deleted: 1 + chunkCount,
    }
  }
}
