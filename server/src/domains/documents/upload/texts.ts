import {
  CairnError,
  type CreatedNodes,
  type CreateNodes,
  type ExtractedText,
  limits,
  type ScopeValues,
} from '@cairn/contract'
import type { Tenant } from '../../../lib/fair-queue.ts'
import { sha256 } from '../../../lib/hash.ts'
import { storable } from '../../../lib/storable.ts'
import type { EventService } from '../../events/index.ts'
import type { ScopeService } from '../../scopes/index.ts'
import type { ExtractionPool } from '../extraction/index.ts'
import { textOf } from '../extraction/index.ts'
import { extensionOf, knownExtension, sanitizeFilename } from '../filename.ts'
import { type DocumentReader, withCatalogueErrors } from './document-reader.ts'
import type { NewDocument } from './new-document.ts'
import { isReservedId } from './private-file-id.ts'
import type { DocumentStore } from './store.ts'
import { uploadedEvent } from './uploaded-event.ts'

export interface TextDependencies {
  store: DocumentStore
  reader: DocumentReader
  /** Extracts texts that are not stored. */
  extraction: ExtractionPool
  events: EventService
  scopes: ScopeService
}

/** A text that is split, indexed and embedded, to be written under its id. */
type ReadText = Pick<NewDocument, 'content' | 'segment' | 'embedding'> & {
  projectId: string
  processingMs: number
}

/** Attempts to write a text while other documents take and free its id. */
const maxAttempts = 5

/** Rejects ids of dots only, because URL paths treat "." and ".." as folders. */
function checkId(id: string): void {
  if (/^[A-Za-z0-9._-]+$/.test(id) && !/^\.+$/.test(id) && id.length <= limits.documentIdLength) return
  throw new CairnError(
    'invalid_request',
    `pdf_id must be 1 to ${limits.documentIdLength} letters, digits, dots, underscores or hyphens, and not dots alone`,
  )
}

function checkNotReserved(id: string): void {
  if (!isReservedId(id)) return
  throw new CairnError(
    'invalid_request',
    'pdf_id has a prefix that is reserved for ids of the server; choose another one',
  )
}

function inChunks(filename: string, count: number): string {
  return `${filename} is searchable in ${count} ${count === 1 ? 'chunk' : 'chunks'}`
}

/** Deletes control characters except tabs and line breaks. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '')
}

/** Stores texts that the caller extracted, under an id that the caller chose; extracts texts without storing them. */
export class TextService {
  readonly #dependencies: TextDependencies

  constructor(dependencies: TextDependencies) {
    this.#dependencies = dependencies
  }

  /** Splits a text into chunks and stores it; resolves when it is durable and searchable. */
  async create(request: CreateNodes): Promise<CreatedNodes> {
    const { chat_id: chatId, pdf_id: fileId, scope_values } = request
    checkId(fileId)
    checkNotReserved(fileId)
    const text = storable(request.pdf_text)
    const scopeValues = await this.#dependencies.scopes.checkValues(chatId, scope_values)
    let read: ReadText | undefined
    for (let attempt = 1; ; attempt++) {
      const earlier = await this.#findEarlier(chatId, fileId, text)
      if (earlier) return earlier
      read ??= await this.#read(request, text)
      const created = await this.#insert(request, text, scopeValues, read)
      if (created !== 'taken') return created
      // Another document has the id. The next attempt can read it when it is completely written or deleted.
      if (attempt === maxAttempts) throw new Error('the id of the document was taken at each try')
      await this.#dependencies.store.waitUntilSettled(fileId)
    }
  }

  /**
   * The response if this chat already has the same text under this id.
   *
   * @throws CairnError `invalid_request` if the id belongs to anything else
   */
  async #findEarlier(chatId: string, fileId: string, text: string): Promise<CreatedNodes | undefined> {
    const node = await this.#dependencies.store.findNode(fileId)
    if (!node) return undefined
    const { document } = node
    if (node.chatId !== chatId || !document) {
      throw new CairnError('invalid_request', 'pdf_id is taken on this server; choose another one')
    }
    if (document.text !== text) {
      const message =
        'pdf_id is the id of a document of this chat with another text; delete it, or choose another id'
      throw new CairnError('invalid_request', message)
    }
    return {
      status: 'success',
      message: `${document.filename} is already stored with this text`,
      file_id: fileId,
      chunk_count: document.chunk_count,
      duplicate_skipped: true,
    }
  }

  async #read({ chat_id, filename }: CreateNodes, text: string): Promise<ReadText> {
    const { store, reader } = this.#dependencies
    const from = performance.now()
    const projectId = await store.findProject(chat_id)
    if (projectId === undefined) throw new CairnError('not_found', 'chat not found')
    const read = await reader.chunkText([projectId], chat_id, text, sanitizeFilename(filename))
    return { ...read, projectId, processingMs: performance.now() - from }
  }

  async #insert(
    request: CreateNodes,
    text: string,
    scopeValues: ScopeValues,
    { projectId, processingMs, ...read }: ReadText,
  ): Promise<CreatedNodes | 'taken'> {
    const { store, events } = this.#dependencies
    const { chat_id: chatId, pdf_id: fileId } = request
    const filename = sanitizeFilename(request.filename)
    const document: NewDocument = {
      chatId,
      fileId,
      filename,
      sha256: '',
      sizeBytes: Buffer.byteLength(text),
      scopeValues,
      createdMs: Date.now(),
      ...read,
    }
    const fileType = knownExtension(filename) ?? 'txt'
    const outcome = await store.insert(
      document,
      uploadedEvent(projectId, document, { fileType, processingMs }),
    )
    if (outcome === 'no_chat') throw new CairnError('not_found', 'chat not found')
    if (outcome === 'taken') return outcome
    if (outcome === 'lost') throw new Error('the document was deleted because its lease ended')
    events.wake()
    return {
      status: 'success',
      message: inChunks(filename, read.content.chunkCount),
      file_id: fileId,
      chunk_count: read.content.chunkCount,
      duplicate_skipped: false,
    }
  }

  /** Extracts the text of a file of any supported type; nothing is stored. */
  async extractText(
    tenant: Tenant,
    { filename, bytes }: { filename: string; bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<ExtractedText> {
    const clean = sanitizeFilename(filename)
    extensionOf(clean)
    if (bytes.length === 0) throw new CairnError('unreadable_file', 'the file is empty')
    const [file_hash, size_bytes] = [sha256(bytes), bytes.length]
    const document = await withCatalogueErrors(
      this.#dependencies.extraction.extract(tenant, bytes, clean, { signal }),
    )
    const text = withoutControls(textOf(document.content))
    return {
      text,
      file_hash,
      size_bytes,
      filename: clean,
      uploaded_at: Date.now(),
      extracted_text_length: text.length,
    }
  }
}
