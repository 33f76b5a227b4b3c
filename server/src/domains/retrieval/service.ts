import { CairnError, type ContextEntry, type ScopeValues } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { inTurn } from '../../lib/turns.ts'
import { matchesScopes } from '../scopes/index.ts'
import { expand, type Scored } from './expansion.ts'
import { isOutgrown, leastChunksForLsa } from './indexing/index.ts'
import { KeptIndexes } from './kept-indexes.ts'
import { IndexLoader, type LoadedIndex, type LoaderOptions } from './loading.ts'
import type { ChatIndex, Query } from './search/index.ts'
import type { NeighbourStore } from './store-neighbours.ts'

export interface RetrievalRequest {
  /** Who asks. */
  tenant: Tenant
  chatId: string
  /** The chat's `index_version` at the time of the question. */
  version: number
  query: Query
  limit: number
  scopeFilters: ScopeValues
  /** The files that may be drawn on. */
  files: 'all' | readonly string[]
  /** Finds what says the words themselves, without asking a provider for a vector. */
  byWords?: boolean
}

export interface RetrievalOptions extends LoaderOptions {
  neighbours: NeighbourStore
  /** Memory of all indexes together; the one of the question at hand is kept in any case. */
  maxBytes: number
  /** Searches, and loads of indexes. */
  queues: { searches: FairQueue; indexLoads: FairQueue }
  /** Called when background work on vectors has been asked for. */
  wake: () => void
  /** Called when a question could not be embedded and is searched for by its words. */
  onFailedEmbedding: (error: unknown) => void
}

/** An index, and the project that it is kept for. */
interface KeptIndex extends LoadedIndex {
  projectId: string
}

/** Search over the chats' in-memory indexes, which are loaded from the database on first use. */
export class RetrievalService {
  readonly #options: RetrievalOptions
  readonly #loader: IndexLoader
  readonly #kept: KeptIndexes<KeptIndex>
  readonly #loading = new Map<string, Promise<KeptIndex>>()

  constructor(options: RetrievalOptions) {
    this.#options = options
    this.#loader = new IndexLoader(options)
    this.#kept = new KeptIndexes(options.maxBytes)
  }

  /** The best chunks, best first. Scope filters and file limits apply before ranking, exactly. */
  async retrieve(request: RetrievalRequest): Promise<ContextEntry[]> {
    const { tenant, chatId, version, query, limit, scopeFilters, files, byWords = false } = request
    const index = await this.#atLeast(tenant, chatId, version)
    const allowed = files === 'all' ? undefined : new Set(files)
    const accepts = (fileId: string) =>
      (allowed?.has(fileId) ?? true) && matchesScopes(index.scopeValues(fileId) ?? {}, scopeFilters)
    const vector = byWords ? undefined : await this.#vectorOf(query.text, index)
    const shares = byWords && { shares: { lexical: 0.6, ngram: 0.25 } }
    const search = () => index.search(query, { limit, accepts, ...shares, ...(vector && { vector }) })
    const hits = await inTurn(this.#options.queues.searches.enter(tenant), search)
    if (hits.length === 0) return []
    return this.#withNeighbours(chatId, hits, limit, accepts)
  }

  /** Lets go of all indexes: each is loaded again with its next question, which looks for the vectors it should have. */
  forget(): void {
    this.#kept.clear()
  }

  /** Frees half of the memory of the indexes, down to a quarter of their limit. */
  shrink(): void {
    this.#kept.shrink()
  }

  /** Approximate memory of all indexes. */
  get bytes(): number {
    return this.#kept.bytes
  }

  /** The question's vector, where documents have some; a search without it is better than none. */
  async #vectorOf(question: string, { space }: ChatIndex): Promise<Float32Array | undefined> {
    if (space?.kind !== 'embedding') return undefined
    try {
      return await this.#options.embeddings.question(space.model, question)
    } catch (error) {
      this.#options.onFailedEmbedding(error)
      return undefined
    }
  }

  /** What was found and what the graph has around it, with their texts. */
  async #withNeighbours(
    chatId: string,
    hits: readonly Scored[],
    limit: number,
    accepts: (fileId: string) => boolean,
  ): Promise<ContextEntry[]> {
    const { store, neighbours: graph } = this.#options
    const seeds = hits.map(({ chunkId }) => chunkId)
    const neighbours = await graph.neighbours(chatId, seeds)
    const ids = new Set([...seeds, ...neighbours.map(({ neighbourId }) => neighbourId)])
    // Texts come from the database, so that a chunk deleted a moment ago is never quoted.
    const texts = await store.chunkTexts(chatId, [...ids])
    const byId = new Map(texts.filter(({ file_id }) => accepts(file_id)).map((row) => [row.chunk_id, row]))
    const found = expand(
      hits.filter(({ chunkId }) => byId.has(chunkId)),
      neighbours,
      { limit, admits: (chunkId) => byId.has(chunkId) },
    )
    return found.flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId)
      if (!row) return []
      const { chunk_id, text, filename, file_id } = row
      return [{ chunk_id, chunk_text: text, score, filename, file_id }]
    })
  }

  /** The index as of a version or newer; another process may have written since it was built. */
  async #atLeast(tenant: Tenant, chatId: string, version: number): Promise<ChatIndex> {
    let kept = this.#kept.get(chatId)
    // A load under way may have begun before this version was written; then it is loaded once more.
    while (!kept || kept.version < version) kept = await this.#load(tenant, chatId)
    return kept.index
  }

  #load(tenant: Tenant, chatId: string): Promise<KeptIndex> {
    const underWay = this.#loading.get(chatId)
    if (underWay) return underWay
    const work = this.#options.queues.indexLoads
      .run(tenant, () => this.#bringUpToDate(tenant, chatId))
      .finally(() => this.#loading.delete(chatId))
    this.#loading.set(chatId, work)
    return work
  }

  async #bringUpToDate([projectId]: Tenant, chatId: string): Promise<KeptIndex> {
    const loaded = await this.#loader.load(chatId, this.#kept.get(chatId))
    if (!loaded) throw new CairnError('not_found', 'chat not found')
    const kept = { ...loaded, projectId }
    this.#kept.add(chatId, kept)
    if (wantsVectors(loaded.index, this.#options.embeddings.model)) {
      await this.#options.vectors.requestJob(chatId, loaded.version)
      this.#options.wake()
    }
    return kept
  }
}

/** Whether background work has something to do for the chat's vectors. */
function wantsVectors(index: ChatIndex, model: string | undefined): boolean {
  const { space, chunkCount } = index
  if (model !== undefined) return chunkCount > 0 && (space?.model !== model || index.withoutVectors > 0)
  if (chunkCount < leastChunksForLsa) return false
  return !space || isOutgrown(space.chunkCount, chunkCount) || index.withoutVectors > 0
}
