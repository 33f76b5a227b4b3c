import { CairnError, type ContextEntry, type ScopeValues } from '@cairn/contract'
import { matchesScopes } from '../scopes/index.ts'
import type { ChatIndex } from './chat-index.ts'
import { IndexLoader, type LoadedIndex } from './loading.ts'
import type { IndexingPool } from './pool.ts'
import type { RetrievalStore } from './store.ts'

export interface RetrievalRequest {
  chatId: string
  /** The chat's `index_version` at the time of the question. */
  version: number
  query: string
  limit: number
  scopeFilters: ScopeValues
  /** The files that may be drawn on. */
  files: 'all' | readonly string[]
}

/** Search over the chats' in-memory indexes, which are built from the database on first use. */
export class RetrievalService {
  readonly #store: RetrievalStore
  readonly #loader: IndexLoader
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #loaded = new Map<string, LoadedIndex>()
  readonly #loading = new Map<string, Promise<LoadedIndex>>()

  constructor(store: RetrievalStore, pool: IndexingPool, maxBytes: number) {
    this.#store = store
    this.#loader = new IndexLoader(store, pool)
    this.#maxBytes = maxBytes
  }

  /** The best chunks, best first. Scope filters and file limits apply before ranking, exactly. */
  async retrieve(request: RetrievalRequest): Promise<ContextEntry[]> {
    const { chatId, version, query, limit, scopeFilters, files } = request
    const index = await this.#atLeast(chatId, version)
    const allowed = files === 'all' ? undefined : new Set(files)
    const hits = index.search(query, {
      limit,
      accepts: (fileId) =>
        (allowed?.has(fileId) ?? true) && matchesScopes(index.scopeValues(fileId) ?? {}, scopeFilters),
    })
    if (hits.length === 0) return []
    // Texts come from the database, so that a chunk deleted a moment ago is never quoted.
    const texts = await this.#store.chunkTexts(
      chatId,
      hits.map((hit) => hit.chunkId),
    )
    const byId = new Map(texts.map((row) => [row.chunk_id, row]))
    return hits.flatMap(({ chunkId, score }) => {
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
    this.#evict()
    return loaded
  }

  /** Keeps the newest index in any case: the question that asked for it needs it. */
  #evict(): void {
    let bytes = 0
    for (const { index } of this.#loaded.values()) bytes += index.bytes
    for (const [chatId, { index }] of this.#loaded) {
      if (bytes <= this.#maxBytes || this.#loaded.size === 1) return
      this.#loaded.delete(chatId)
      bytes -= index.bytes
    }
  }
}
