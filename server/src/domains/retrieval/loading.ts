import { CairnError } from '@cairn/contract'
import { createPacer } from '../../lib/turns.ts'
import { IndexingLimitError, type IndexingPool } from './indexing/index.ts'
import { ChatIndex, type IndexDocument } from './search/index.ts'
import { decodeSegment, segmentFormat } from './segments/index.ts'
import type { RetrievalStore, StoredDocument } from './store.ts'
import type { VectorSpaceRow, VectorStore } from './store-vectors.ts'
import type { Embeddings, VectorSpace } from './vectors/index.ts'
import { decodeLsaFit } from './vectors/index.ts'
import type { Scratch } from './wasm/index.ts'

/** An index that contains at least all changes up to the chat's `index_version` `version`. */
export interface LoadedIndex {
  version: number
  index: ChatIndex
  /** Id of the model that embeds the chat's documents; undefined without one. */
  embeddingModel: string | undefined
}

/**
 * Size of the changed segments above which a new index is built. Other requests search a loaded index meanwhile, so each
 * change of it is one step, and a file of megabytes would block them for half a second.
 */
const maxChangedBytes = 512 * 1024
/** Milliseconds of work after which other requests run. */
const turnMs = 4

export interface LoaderOptions {
  store: RetrievalStore
  vectors: VectorStore
  pool: IndexingPool
  embeddings: Embeddings
  /** Memory that all searches and loads use, one at a time. */
  scratch: Scratch
}

/** Builds indexes from the database, and updates them with the changes since their version. */
export class IndexLoader {
  readonly #store: RetrievalStore
  readonly #vectors: VectorStore
  readonly #pool: IndexingPool
  readonly #scratch: Scratch
  readonly #embeddings: Embeddings

  constructor({ store, vectors, pool, embeddings, scratch }: LoaderOptions) {
    this.#scratch = scratch
    this.#store = store
    this.#vectors = vectors
    this.#pool = pool
    this.#embeddings = embeddings
  }

  /**
   * Returns the chat's current index: `loaded` with all changes since its version, or a new one. Returns undefined if the
   * chat does not exist.
   */
  async load(chatId: string, loaded: LoadedIndex | undefined): Promise<LoadedIndex | undefined> {
    // The version is read first. Changes written during the load are newer, so the next load reads them again.
    const version = await this.#store.indexVersion(chatId)
    if (version === undefined) return undefined
    const changed = await this.#readChanged(chatId, loaded?.version ?? -1)
    if (loaded && sizeOf(changed) > maxChangedBytes) return this.load(chatId, undefined)
    const index = loaded?.index ?? new ChatIndex(this.#scratch)
    if (loaded) await this.#update(index, changed)
    else await this.#fill(index, changed)
    if ((await this.#store.countDocuments(chatId)) !== index.documentCount) {
      await this.#removeGone(chatId, index)
    }
    const embeddingModel = (await this.#embeddings.modelOf(chatId))?.id
    const canEmbed = (model: string) => embeddingModel !== undefined && this.#embeddings.canEmbed(model)
    await this.#addVectors(chatId, index, loaded?.version ?? -1, canEmbed)
    const pace = createPacer(turnMs)
    for (const _ of index.prepareInSlices()) await pace()
    return { version, index, embeddingModel }
  }

  async #readChanged(chatId: string, since: number): Promise<IndexDocument[]> {
    const documents: IndexDocument[] = []
    const pace = createPacer(turnMs)
    for (const stored of await this.#store.documentsSince(chatId, since)) {
      documents.push(toIndexDocument(await this.#withSegment(chatId, stored), this.#scratch))
      await pace()
    }
    return documents
  }

  /** Fills a new index, which nobody searches yet, so that other requests run between slices of work. */
  async #fill(index: ChatIndex, documents: readonly IndexDocument[]): Promise<void> {
    const pace = createPacer(turnMs)
    // Posting lists of a growing index have spare capacity; for a new index, the exact sizes are reserved.
    for (const _ of index.reserveInSlices(documents)) await pace()
    for (const document of documents) {
      for (const _ of index.addInSlices(document)) await pace()
      await pace()
    }
  }

  async #update(index: ChatIndex, documents: readonly IndexDocument[]): Promise<void> {
    const pace = createPacer(turnMs)
    for (const document of documents) {
      index.addDocument(document)
      await pace()
    }
  }

  async #removeGone(chatId: string, index: ChatIndex): Promise<void> {
    const storedIds = new Set(await this.#store.fileIds(chatId))
    for (const fileId of index.fileIds) if (!storedIds.has(fileId)) index.removeDocument(fileId)
  }

  /** Adds new vectors, or all vectors if the active space has changed. */
  async #addVectors(
    chatId: string,
    index: ChatIndex,
    since: number,
    canEmbed: (model: string) => boolean,
  ): Promise<void> {
    const spaces = await this.#vectors.activeSpaces(chatId)
    const row = spaces.find(({ kind, model }) => kind === 'lsa' || canEmbed(model))
    const isSame = row?.spaceId === index.space?.id
    if (!isSame) index.useSpace(row && toSpace(row))
    if (!row) return
    const pace = createPacer(turnMs)
    for (const { fileId, vectors } of await this.#vectors.vectorsSince(
      chatId,
      row.spaceId,
      isSame ? since : -1,
    )) {
      index.setVectors(fileId, toFloats(vectors))
      await pace()
    }
  }

  /** Returns the document with a segment of the current format. A missing or outdated segment is made and stored. */
  async #withSegment(chatId: string, stored: StoredDocument): Promise<StoredDocument> {
    if (stored.segment?.format === segmentFormat) return stored
    const chunks = await this.#store.chunksOf(chatId, stored.fileId)
    const fields = chunks.map((chunk) => chunk.fields)
    const segment = await this.#pool.segment(stored.filename, fields).catch((cause: unknown) => {
      if (!(cause instanceof IndexingLimitError)) throw cause
      const message = `${stored.filename} has too much text since its last edit and cannot be searched; shorten or delete it`
      throw new CairnError('unreadable_file', message, { cause })
    })
    const made = { ...stored, segment, chunkIds: chunks.map(({ chunkId }) => chunkId) }
    await this.#store.saveSegment(chatId, made)
    return made
  }
}

function sizeOf(documents: readonly IndexDocument[]): number {
  return documents.reduce((sum, { segment }) => sum + segment.terms.bytes.length + segment.postings.length, 0)
}

function toIndexDocument(
  { fileId, scopeValues, chunkIds, segment }: StoredDocument,
  scratch: Scratch,
): IndexDocument {
  if (!segment) throw new Error('a document without a segment cannot be indexed')
  return { fileId, scopeValues, chunkIds, segment: decodeSegment(segment.bytes, scratch) }
}

function toSpace({ spaceId, kind, model, dimensions, fit, chunkCount }: VectorSpaceRow): VectorSpace {
  return { id: spaceId, kind, model, dimensions, chunkCount, ...(fit && { fit: decodeLsaFit(fit) }) }
}

/** Copies the bytes, because their offset may not be a multiple of four. */
function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}
