import { CairnError, type ContextEntry, type ScopeValues } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { inTurn } from '../../lib/turns.ts'
import { matchesScopes } from '../scopes/index.ts'
import { expand, type ScoredChunk } from './expansion.ts'
import { IndexCache } from './index-cache.ts'
import { isOutgrown, minChunksForLsa } from './indexing/index.ts'
import { IndexLoader, type LoadedIndex, type LoaderOptions } from './loading.ts'
import type { ChatIndex, Query } from './search/index.ts'
import type { ChunkPlace } from './store.ts'
import type { NeighbourStore } from './store-neighbours.ts'

/** A chunk that a search has found, with its place for traces. */
export interface FoundChunk extends ContextEntry {
  place: ChunkPlace
}

export interface RetrievalRequest {
  tenant: Tenant
  chatId: string
  /** The chat's `index_version` at the time of the question. */
  version: number
  query: Query
  limit: number
  scopeFilters: ScopeValues
  /** Ids of the files to search. */
  files: 'all' | readonly string[]
  /** Uses only the lexical and n-gram rankers, without vectors. */
  lexicalOnly?: boolean
}

export interface RetrievalOptions extends LoaderOptions {
  neighbours: NeighbourStore
  /** Maximum memory of all indexes. The index of the current question is never evicted. */
  maxBytes: number
  queues: { searches: FairQueue; indexLoads: FairQueue }
  /** Called when a vector job was queued. */
  wake: () => void
  /** Called when embedding a question failed; the search then uses no vector. */
  onFailedEmbedding: (error: unknown) => void
}

/** An index with the project that its memory is charged to. */
interface CachedIndex extends LoadedIndex {
  projectId: string
}

/** Search over the chats' in-memory indexes, which are loaded from the database on first use. */
export class RetrievalService {
  readonly #options: RetrievalOptions
  readonly #loader: IndexLoader
  readonly #cache: IndexCache<CachedIndex>
  readonly #loading = new Map<string, Promise<CachedIndex>>()

  constructor(options: RetrievalOptions) {
    this.#options = options
    this.#loader = new IndexLoader(options)
    this.#cache = new IndexCache(options.maxBytes)
  }

  /**
   * The best chunks, best first. Scope filters and the list of files apply before ranking.
   *
   * @throws CairnError `not_found` for an unknown chat
   */
  async retrieve(request: RetrievalRequest): Promise<FoundChunk[]> {
    const { tenant, chatId, version, query, limit, scopeFilters, files, lexicalOnly = false } = request
    const index = await this.#indexAtLeast(tenant, chatId, version)
    const allowed = files === 'all' ? undefined : new Set(files)
    const accepts = (fileId: string) =>
      (allowed?.has(fileId) ?? true) && matchesScopes(index.scopeValues(fileId) ?? {}, scopeFilters)
    const vector = lexicalOnly ? undefined : await this.#vectorOf(query.text, index)
    const weights = lexicalOnly && { weights: { lexical: 0.6, ngram: 0.25 } }
    const search = () => index.search(query, { limit, accepts, ...weights, ...(vector && { vector }) })
    const hits = await inTurn(this.#options.queues.searches.enter(tenant), search)
    if (hits.length === 0) return []
    return this.#withNeighbours(chatId, hits, limit, accepts)
  }

  /** Clears the cache, after a change of models. The next question loads its index again and queues missing vectors. */
  clearIndexes(): void {
    this.#cache.clear()
  }

  /** Evicts indexes until half of their memory is free, but keeps at least a quarter of the limit. */
  shrink(): void {
    this.#cache.shrink()
  }

  /** Approximate memory of all indexes. */
  get bytes(): number {
    return this.#cache.bytes
  }

  /**
   * The question's vector, if the documents have embeddings. A failure returns undefined, so that the search works
   * without.
   */
  async #vectorOf(question: string, { space }: ChatIndex): Promise<Float32Array | undefined> {
    if (space?.kind !== 'embedding') return undefined
    try {
      return await this.#options.embeddings.question(space.model, question)
    } catch (error) {
      this.#options.onFailedEmbedding(error)
      return undefined
    }
  }

  /** Adds neighbours in the graph to the hits, and reads the texts of all chunks. */
  async #withNeighbours(
    chatId: string,
    hits: readonly ScoredChunk[],
    limit: number,
    accepts: (fileId: string) => boolean,
  ): Promise<FoundChunk[]> {
    const { store, neighbours: graph } = this.#options
    const seeds = hits.map(({ chunkId }) => chunkId)
    const neighbours = await graph.neighbours(chatId, seeds)
    const ids = new Set([...seeds, ...neighbours.map(({ neighbourId }) => neighbourId)])
    // Texts are read from the database, so that a chunk that was just deleted is never quoted.
    const texts = await store.chunkTexts(chatId, [...ids])
    const byId = new Map(texts.filter(({ file_id }) => accepts(file_id)).map((row) => [row.chunk_id, row]))
    const found = expand(
      hits.filter(({ chunkId }) => byId.has(chunkId)),
      neighbours,
      { limit, isAllowed: (chunkId) => byId.has(chunkId) },
    )
    return found.flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId)
      if (!row) return []
      const { chunk_id, text, filename, file_id, place } = row
      return [{ chunk_id, chunk_text: text, score, filename, file_id, place }]
    })
  }

  /** The index with at least this version. Another process may have written since the cached index was loaded. */
  async #indexAtLeast(tenant: Tenant, chatId: string, version: number): Promise<ChatIndex> {
    let cached = this.#cache.get(chatId)
    // A running load may have started before this version was written; then the index is loaded again.
    while (!cached || cached.version < version) cached = await this.#load(tenant, chatId)
    return cached.index
  }

  #load(tenant: Tenant, chatId: string): Promise<CachedIndex> {
    const running = this.#loading.get(chatId)
    if (running) return running
    const work = this.#options.queues.indexLoads
      .run(tenant, () => this.#loadIndex(tenant, chatId))
      .finally(() => this.#loading.delete(chatId))
    this.#loading.set(chatId, work)
    return work
  }

  async #loadIndex([projectId]: Tenant, chatId: string): Promise<CachedIndex> {
    const loaded = await this.#loader.load(chatId, this.#cache.get(chatId))
    if (!loaded) throw new CairnError('not_found', 'chat not found')
    const cached = { ...loaded, projectId }
    this.#cache.add(chatId, cached)
    if (needsVectorJob(loaded.index, loaded.embeddingModel)) {
      await this.#options.vectors.requestJob(chatId, loaded.version)
      this.#options.wake()
    }
    return cached
  }
}

/** Whether the chat needs a vector job. */
function needsVectorJob(index: ChatIndex, model: string | undefined): boolean {
  const { space, chunkCount } = index
  if (model !== undefined)
    return chunkCount > 0 && (space?.model !== model || index.documentsWithoutVectors > 0)
  if (chunkCount < minChunksForLsa) return false
  return !space || isOutgrown(space.chunkCount, chunkCount) || index.documentsWithoutVectors > 0
}
