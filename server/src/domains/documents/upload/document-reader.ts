import { CairnError, type ErrorCode } from '@cairn/contract'
import type { Tenant } from '../../../lib/fair-queue.ts'
import type { DocumentEmbedding, Embeddings } from '../../retrieval/index.ts'
import type { ExtractionPool, PreparedDocument, ReadOptions } from '../extraction/index.ts'
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

/** A prepared document with its vectors, if an embedding model is configured. */
export type EmbeddedDocument = PreparedDocument & { embedding: DocumentEmbedding | undefined }

/** Reads documents in the pool, and embeds them if a model is configured. */
export class DocumentReader {
  readonly #pool: ExtractionPool
  readonly #embeddings: Embeddings
  readonly #timeoutMs: number

  /** @param timeoutMs time limit for embedding one document */
  constructor(pool: ExtractionPool, embeddings: Embeddings, timeoutMs: number) {
    this.#pool = pool
    this.#embeddings = embeddings
    this.#timeoutMs = timeoutMs
  }

  /** Reads a file. @throws CairnError also if the embedding fails */
  async extract(
    tenant: Tenant,
    chatId: string,
    bytes: Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<EmbeddedDocument> {
    return this.#withEmbedding(
      chatId,
      await withCatalogueErrors(this.#pool.extract(tenant, bytes, filename, options)),
    )
  }

  /** Reads a plain text, or its bytes in UTF-8, whatever the extension of its name. @throws CairnError */
  async chunkText(
    tenant: Tenant,
    chatId: string,
    text: string | Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<EmbeddedDocument> {
    return this.#withEmbedding(
      chatId,
      await withCatalogueErrors(this.#pool.chunkText(tenant, text, filename, options)),
    )
  }

  async #embed(
    chatId: string,
    { content }: PreparedDocument,
    signal: AbortSignal,
  ): Promise<DocumentEmbedding | undefined> {
    const model = await this.#embeddings.modelOf(chatId)
    return model && this.#embeddings.document(model, fieldsOf(content), signal)
  }

  async #withEmbedding(chatId: string, document: PreparedDocument): Promise<EmbeddedDocument> {
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      return { ...document, embedding: await this.#embed(chatId, document, signal) }
    } catch (error) {
      if (signal.aborted) {
        throw new CairnError('processing_timeout', 'embedding the file took longer than the limit')
      }
      const reason = error instanceof CairnError ? `: ${error.message}` : ''
      throw new CairnError('embedding_failed', `the file could not be embedded${reason}`, { cause: error })
    }
  }
}

/** Converts an `ExtractionError` to the error of the catalogue. */
export async function withCatalogueErrors(reading: Promise<PreparedDocument>): Promise<PreparedDocument> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error
    throw new CairnError(errorCodes[error.reason], error.message, { cause: error.cause })
  }
}
