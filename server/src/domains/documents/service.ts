import { CairnError, limits, type ScopeValues, type UploadedFile } from '@cairn/contract'
import { isForeignKeyViolation, isUniqueViolation } from '../../lib/database-error.ts'
import { sha256 } from '../../lib/hash.ts'
import type { EventService } from '../events/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import { uploadedEvent } from './file-events.ts'
import { extensionOf, fileIdOf, sanitizeFilename } from './filename.ts'
import type { DocumentReader } from './readable.ts'
import type { DocumentRow, DocumentStore, NewDocument } from './store.ts'

export interface Upload {
  chatId: string
  filename: string
  bytes: Uint8Array
  /** The form's text: a JSON object. */
  scopeValues: string | undefined
}

type CheckedUpload = Omit<Upload, 'scopeValues'> & { scopeValues: ScopeValues }

/** Files of one name in one second that get different ids before we give up. */
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

export class DocumentService {
  readonly #store: DocumentStore
  readonly #reader: DocumentReader
  readonly #events: EventService
  readonly #scopes: ScopeService
  /** Uploads under way, by chat, content and scope values: the second of two at once waits for the first. */
  readonly #underWay = new Map<string, Promise<UploadedFile>>()

  constructor(store: DocumentStore, reader: DocumentReader, events: EventService, scopes: ScopeService) {
    this.#store = store
    this.#reader = reader
    this.#events = events
    this.#scopes = scopes
  }

  /** Extracts, chunks and stores a file; resolves when it is durable and searchable. */
  async upload({ filename, ...upload }: Upload): Promise<UploadedFile> {
    const scopeValues = await this.#scopes.checkUpload(upload.chatId, upload.scopeValues)
    const clean = { ...upload, scopeValues, filename: sanitizeFilename(filename) }
    extensionOf(clean.filename)
    if (clean.bytes.length === 0) throw new CairnError('unreadable_file', 'the file is empty')
    const hash = sha256(clean.bytes)
    const identity = JSON.stringify([clean.chatId, hash, clean.scopeValues])
    for (let first = this.#underWay.get(identity); first; first = this.#underWay.get(identity)) {
      const uploaded = await first.catch(() => undefined)
      if (uploaded) return { ...uploaded, duplicate: true }
    }
    const work = this.#process(clean, hash).finally(() => this.#underWay.delete(identity))
    this.#underWay.set(identity, work)
    return work
  }

  async #process(upload: CheckedUpload, hash: string): Promise<UploadedFile> {
    const { chatId, filename, bytes, scopeValues } = upload
    const from = performance.now()
    const since = Date.now() - limits.duplicateWindowMs
    const twin = await this.#store.findTwin(chatId, hash, scopeValues, since)
    if (twin) return { ...toUploaded(chatId, twin), duplicate: true }
    const read = await this.#reader.extract(bytes, filename)
    const document: Omit<NewDocument, 'fileId'> = {
      chatId,
      filename,
      sha256: hash,
      sizeBytes: bytes.length,
      scopeValues,
      createdMs: Date.now(),
      ...read,
    }
    const fileId = await this.#insert(document, performance.now() - from)
    return toUploaded(chatId, {
      file_id: fileId,
      filename,
      size_bytes: bytes.length,
      chunk_count: read.chunks.length,
      scope_values: JSON.stringify(scopeValues),
      created_at: document.createdMs,
    })
  }

  async #insert(document: Omit<NewDocument, 'fileId'>, processingMs: number): Promise<string> {
    const projectId = await this.#store.findProject(document.chatId)
    if (projectId === undefined) throw new CairnError('not_found', 'chat not found')
    for (let attempt = 1; ; attempt++) {
      const fileId = fileIdOf(document.chatId, document.filename, document.createdMs, attempt)
      try {
        const stored = { ...document, fileId }
        const fileType = extensionOf(document.filename)
        await this.#store.insert(stored, uploadedEvent(projectId, stored, { fileType, processingMs }))
        this.#events.wake()
        return fileId
      } catch (error) {
        if (isForeignKeyViolation(error))
          throw new CairnError('not_found', 'chat not found', { cause: error })
        if (!isUniqueViolation(error) || attempt === maxAttempts) throw error
      }
    }
  }
}
