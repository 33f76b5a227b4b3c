import { CairnError, type ContextEntry, type ScopeValues } from '@cairn/contract'
import { matchesScopes } from '../scopes/index.ts'
import type { ChatIndex } from './chat-index.ts'
import { expand, type Scored } from './expansion.ts'
import { isOutgrown, leastChunksForLsa } from './fit-lsa-job.ts'
import { IndexLoader, type LoadedIndex, type LoaderOptions } from './loading.ts'
import type { NeighbourStore } from './store-neighbours.ts'

export interface RetrievalRequest {
  chatId: string
  /** The chat's `index_version` at the time of the question. */
  version: number
  query: string
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
  /** Called when background work on vectors has been asked for. */
  wake: () => void
  /** Called when a question could not be embedded and is searched for by its words. */
  onFailedEmbedding: (error: unknown) => void
}

/** Search over the chats' in-memory indexes, which are loaded from the database on first use. */
export class RetrievalService {
  readonly #options: RetrievalOptions
  readonly #loader: IndexLoader
  /** Least recently used first. */
  readonly #loaded = new Map<string, LoadedIndex>()
  readonly #loading = new Map<string, Promise<LoadedIndex>>()

  constructor(options: RetrievalOptions) {
    this.#options = options
    this.#loader = new IndexLoader(options)
  }

  /** The best chunks, best first. Scope filters and file limits apply before ranking, exactly. */
  async retrieve(request: RetrievalRequest): Promise<ContextEntry[]> {
    const { chatId, version, query, limit, scopeFilters, files, byWords = false } = request
    const index = await this.#atLeast(chatId, version)
    const allowed = files === 'all' ? undefined : new Set(files)
    const accepts = (fileId: string) =>
      (allowed?.has(fileId) ?? true) && matchesScopes(index.scopeValues(fileId) ?? {}, scopeFilters)
    const vector = byWords ? undefined : await this.#vectorOf(query, index)
    const shares = byWords && { shares: { lexical: 0.6, ngram: 0.25 } }
    const hits = index.search(query, { limit, accepts, ...shares, ...(vector && { vector }) })
    if (hits.length === 0) return []
    return this.#withNeighbours(chatId, hits, limit, accepts)
  }

  /** Lets go of all indexes: each is loaded again with its next question, which looks for the vectors it should have. */
  forget(): void {
    this.#loaded.clear()
  }

  /** Frees the half of the indexes that was used least recently, down to a quarter of what they may take. */
  shrink(): void {
    const { maxBytes } = this.#options
    this.#evict(Math.max(this.bytes / 2, maxBytes / 4))
  }

  /** Approximate memory of all indexes. */
  get bytes(): number {
    return [...this.#loaded.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  /** The question's vector, where documents have some; a search without it is better than none. */
  async #vectorOf(query: string, { space }: ChatIndex): Promise<Float32Array | undefined> {
    if (space?.kind !== 'embedding') return undefined
    try {
      return await this.#options.embeddings.question(space.model, query)
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
  async #atLeast(chatId: string, version: number): Promise<ChatIndex> {
    let loaded = this.#loaded.get(chatId)
    // A load under way may have begun before this version was written; then it is loaded once more.
    while (!loaded || loaded.version < version) loaded = await this.#load(chatId)
    this.#loaded.delete(chatId)
    this.#loaded.set(chatId, loaded)
    return loaded.index
  }

  #load(chatId: string): Promise<LoadedIndex> {
    const underWay = this.#loading.get(chatId)
    if (underWay) return underWay
    const work = this.#bringUpToDate(chatId).finally(() => this.#loading.delete(chatId))
    this.#loading.set(chatId, work)
    return work
  }

  async #bringUpToDate(chatId: string): Promise<LoadedIndex> {
    const loaded = await this.#loader.load(chatId, this.#loaded.get(chatId))
    if (!loaded) throw new CairnError('not_found', 'chat not found')
    this.#loaded.delete(chatId)
    this.#loaded.set(chatId, loaded)
    this.#evict(this.#options.maxBytes)
    if (wantsVectors(loaded.index, this.#options.embeddings.model)) {
      await this.#options.vectors.requestJob(chatId, loaded.version)
      this.#options.wake()
    }
    return loaded
  }

  /** Keeps the newest index in any case: the question that asked for it needs it. */
  #evict(maxBytes: number): void {
    let { bytes } = this
    for (const [chatId, { index }] of this.#loaded) {
      if (bytes <= maxBytes || this.#loaded.size === 1) return
      this.#loaded.delete(chatId)
      bytes -= index.bytes
    }
  }
}

/** Whether background work has something to do for the chat's vectors. */
function wantsVectors(index: ChatIndex, model: string | undefined): boolean {
  const { space, chunkCount } = index
  if (model !== undefined) return chunkCount > 0 && (space?.model !== model || index.withoutVectors > 0)
  if (chunkCount < leastChunksForLsa) return false
  return !space || isOutgrown(space.chunkCount, chunkCount) || index.withoutVectors > 0
}
