import { CairnError, limits, type ScopeValues, type UploadedFile } from '@cairn/contract'
import type { Tenant } from '../../../lib/fair-queue.ts'
import { sha256OfFile } from '../../../lib/hash.ts'
import type { EventService } from '../../events/index.ts'
import type { PrivateScopes, ScopeService } from '../../scopes/index.ts'
import { type Progress, progressAt } from '../extraction/index.ts'
import type { FileOwner } from '../file-owner.ts'
import { extensionOf, fileIdOf, sanitizeFilename } from '../filename.ts'
import type { DocumentReader } from './document-reader.ts'
import type { NewDocument } from './new-document.ts'
import { newPrivateFileId } from './private-file-id.ts'
import type { RunningUpload, RunningUploads } from './running-uploads.ts'
import type { DocumentRow, DocumentStore } from './store.ts'
import { uploadedEvent } from './uploaded-event.ts'

export interface Upload {
  chatId: string
  filename: string
  bytes: Uint8Array<ArrayBuffer>
  /** A JSON object as text, from the form. */
  scopeValues: string | undefined
  /** True for plain text, whatever the extension of its name. */
  isText?: boolean
  /** The end user, if it is a private chat. */
  owner?: FileOwner
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
}

type CheckedUpload = Omit<Upload, 'scopeValues'> & {
  scopeValues: ScopeValues
  scopeLimit: PrivateScopes['limit']
}
type ReadUpload = Omit<NewDocument, 'fileId'> & { processingMs: number }

/** Ids that are tried for files with the same name in the same second. */
const maxAttempts = 100

function toUploaded(chatId: string, row: DocumentRow): UploadedFile {
  return {
    success: true,
    filename: row.filename,
    file_id: row.file_id,
    chat_id: chatId,
    scope_values: JSON.parse(row.scope_values) as ScopeValues,
    size_bytes: row.size_bytes,
    chunk_count: row.chunk_count,
    processing_status: 'completed',
    message: `${row.filename} is searchable in ${row.chunk_count} ${row.chunk_count === 1 ? 'chunk' : 'chunks'}`,
  }
}

function toRow({ fileId, filename, sizeBytes, content, scopeValues, createdMs }: NewDocument): DocumentRow {
  return {
    file_id: fileId,
    filename,
    size_bytes: sizeBytes,
    chunk_count: content.chunkCount,
    scope_values: JSON.stringify(scopeValues),
    created_at: createdMs,
  }
}

export interface UploadDependencies {
  store: DocumentStore
  reader: DocumentReader
  events: EventService
  scopes: ScopeService
  uploads: RunningUploads
}

export class DocumentService {
  readonly #dependencies: UploadDependencies
  /** Running uploads by chat, content and scope values. An identical second upload waits for the first one. */
  readonly #inProgress = new Map<string, Promise<UploadedFile>>()

  constructor(dependencies: UploadDependencies) {
    this.#dependencies = dependencies
  }

  /** Extracts, chunks and stores a file; resolves when it is durable and searchable. */
  async upload({ filename, ...upload }: Upload): Promise<UploadedFile> {
    const { chatId, owner, isText } = upload
    const { scopes } = this.#dependencies
    const { values: scopeValues, limit: scopeLimit } = owner
      ? await scopes.checkPrivateUpload(owner, upload.scopeValues)
      : { values: await scopes.checkUpload(chatId, upload.scopeValues), limit: undefined }
    const clean = { ...upload, scopeValues, scopeLimit, filename: sanitizeFilename(filename) }
    if (!isText) extensionOf(clean.filename)
    if (clean.bytes.length === 0) throw new CairnError('unreadable_file', 'the file is empty')
    const hash = await sha256OfFile(clean.bytes)
    const identity = JSON.stringify([clean.chatId, hash, clean.scopeValues])
    for (let first = this.#inProgress.get(identity); first; first = this.#inProgress.get(identity)) {
      const uploaded = await first.catch(() => undefined)
      if (uploaded) return { ...uploaded, duplicate: true }
    }
    const work = this.#process(clean, hash).finally(() => this.#inProgress.delete(identity))
    this.#inProgress.set(identity, work)
    return work
  }

  async #process(upload: CheckedUpload, hash: string): Promise<UploadedFile> {
    const { chatId, filename, bytes, scopeValues } = upload
    const { store, uploads } = this.#dependencies
    const since = Date.now() - limits.duplicateWindowMs
    const earlier = await store.findDuplicate(chatId, hash, scopeValues, since)
    if (earlier) return { ...toUploaded(chatId, earlier), duplicate: true }
    const projectId = await store.findProject(chatId)
    if (projectId === undefined) throw new CairnError('not_found', 'chat not found')
    const running = uploads.begin(chatId, filename, bytes.length)
    try {
      await this.#takeId(projectId, running, upload.owner)
      const document = await this.#read(projectId, upload, hash, running)
      await this.#insert(projectId, document, running, upload)
      uploads.succeed(running)
      return toUploaded(chatId, toRow({ ...document, fileId: running.fileId }))
    } catch (error) {
      uploads.fail(running, error instanceof CairnError ? error.message : 'the server failed')
      throw error
    }
  }

  /**
   * Assigns the upload an id that no file has or had. The id is made from its name and the current second. An end
   * user's file gets a random id, which reveals nothing.
   */
  async #takeId(projectId: string, running: RunningUpload, owner: FileOwner | undefined): Promise<void> {
    const { store, uploads } = this.#dependencies
    const nowMs = Date.now()
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const fileId = owner ? newPrivateFileId() : fileIdOf(running.chatId, running.filename, nowMs, attempt)
      if (!uploads.takeId(running, fileId) || (!owner && (await store.isUsed(projectId, fileId, nowMs))))
        continue
      running.isShown = true
      return
    }
    throw new CairnError('invalid_request', 'too many files with this filename in one second; try again')
  }

  async #read(
    projectId: string,
    upload: CheckedUpload,
    hash: string,
    running: RunningUpload,
  ): Promise<ReadUpload> {
    const { chatId, filename, bytes, scopeValues, isText, owner, signal } = upload
    const tenant: Tenant = owner ? [projectId, owner.userId] : [projectId]
    const [from, sizeBytes] = [performance.now(), bytes.length]
    const { reader } = this.#dependencies
    const onProgress = (progress: Progress) => {
      running.progress = progress
    }
    const read = isText
      ? await reader.chunkText(tenant, chatId, bytes, filename, { onProgress, signal })
      : await reader.extract(tenant, chatId, bytes, filename, { onProgress, signal })
    onProgress(progressAt('storing'))
    return {
      chatId,
      filename,
      sha256: hash,
      sizeBytes,
      scopeValues,
      createdMs: Date.now(),
      processingMs: performance.now() - from,
      ...read,
    }
  }

  async #insert(
    projectId: string,
    read: ReadUpload,
    running: RunningUpload,
    { owner, isText, scopeLimit }: CheckedUpload,
  ): Promise<void> {
    const { store, events, scopes } = this.#dependencies
    const fileType = isText ? 'txt' : extensionOf(read.filename)
    const { processingMs, ...document } = read
    let limit = scopeLimit
    for (let attempt = 1; ; attempt++) {
      const stored = { ...document, fileId: running.fileId, scopeLimit: limit }
      const event = uploadedEvent(projectId, stored, { fileType, processingMs, owner })
      const outcome = await store.insert(stored, event)
      if (outcome === 'stored') return events.wake()
      if (outcome === 'no_chat') throw new CairnError('not_found', 'chat not found')
      if (attempt === maxAttempts) throw new Error(`the document could not be stored: ${outcome}`)
      // Concurrent uploads of the same user may have reached the limit of scopes; then this throws.
      if (owner) limit = await scopes.checkUserScopes(owner, document.scopeValues)
      // Otherwise another server on this database took the id, or deleted this document after its lease.
      await this.#takeId(projectId, running, owner)
    }
  }
}
