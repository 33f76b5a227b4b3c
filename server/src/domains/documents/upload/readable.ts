import { CairnError, type ErrorCode } from '@cairn/contract'
import type { Tenant } from '../../../lib/fair-queue.ts'
import type { DocumentEmbedding, Embeddings } from '../../retrieval/index.ts'
import type { ExtractionPool, ReadDocument, ReadOptions } from '../extraction/index.ts'
import { ExtractionError, type ExtractionReason, fieldsOf } from '../extraction/index.ts'

const errorCodes: Record<ExtractionReason, ErrorCode> = {
  malformed: 'unreadable_file',
  malicious: 'unreadable_file',
  empty: 'unreadable_file',
  no_text: 'unreadable_file',
  timeout: 'processing_timeout',
  failed: 'unreadable_file',
  unavailable: 'extraction_failed',
}

/** What is stored of a document, once it is read. */
export type Readable = ReadDocument & { embedding: DocumentEmbedding | undefined }

/** Reads documents, in the pool, and has them embedded where a model is configured. */
export class DocumentReader {
  readonly #pool: ExtractionPool
  readonly #embeddings: Embeddings
  readonly #timeoutMs: number

  /** `timeoutMs` is the time that embedding one document may take. */
  constructor(pool: ExtractionPool, embeddings: Embeddings, timeoutMs: number) {
    this.#pool = pool
    this.#embeddings = embeddings
    this.#timeoutMs = timeoutMs
  }

  /** A file. Throws CairnError, also for a model that fails. */
  async extract(
    tenant: Tenant,
    bytes: Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<Readable> {
    return this.#embedded(await readable(this.#pool.extract(tenant, bytes, filename, options)))
  }

  /** A text that was taken out of its file before, or its bytes in UTF-8. */
  async cut(
    tenant: Tenant,
    text: string | Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<Readable> {
    return this.#embedded(await readable(this.#pool.cut(tenant, text, filename, options)))
  }

  async #embed({ content }: ReadDocument, signal: AbortSignal): Promise<DocumentEmbedding | undefined> {
    if (this.#embeddings.model === undefined) return undefined
    return this.#embeddings.document(fieldsOf(content), signal)
  }

  async #embedded(document: ReadDocument): Promise<Readable> {
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      return { ...document, embedding: await this.#embed(document, signal) }
    } catch (error) {
      if (signal.aborted) {
        throw new CairnError('processing_timeout', 'embedding the file took longer than the limit')
      }
      const reason = error instanceof CairnError ? `: ${error.message}` : ''
      throw new CairnError('embedding_failed', `the file could not be embedded${reason}`, { cause: error })
    }
  }
}

/** What was read, or why it could not be as an error of the catalogue. */
export async function readable(reading: Promise<ReadDocument>): Promise<ReadDocument> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error
    throw new CairnError(errorCodes[error.reason], error.message, { cause: error.cause })
  }
}
