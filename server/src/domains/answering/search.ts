import { limits, type SearchRequest, type SearchResponse } from '@cairn/contract'
import type { ChatService } from '../chats/index.ts'
import { Query, type RetrievalService } from '../retrieval/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import { findContext, sourceOf } from './context.ts'
import { refuseMisspeltFilters } from './question/index.ts'

export interface SearchDependencies {
  chats: ChatService
  scopes: ScopeService
  retrieval: RetrievalService
}

/** Searches a chat's documents without an answer. */
export class SearchService {
  readonly #dependencies: SearchDependencies

  constructor(dependencies: SearchDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the context that an answer to the query would use. */
  async search(chatId: string, request: SearchRequest): Promise<SearchResponse> {
    refuseMisspeltFilters(request)
    const { chats, scopes, retrieval } = this.#dependencies
    const published = await chats.findPublished(chatId)
    const { query, limit, scope_filters: filters } = request
    const scopeFilters = filters ? await scopes.checkFilters(chatId, filters) : undefined
    const { context } = await findContext(retrieval, sourceOf(published), {
      tenant: [published.chat.project_id],
      query: new Query(query),
      scopeFilters: scopeFilters ?? {},
      limit: limit ?? limits.contextChunks,
    })
    return {
      chat_id: chatId,
      results: context,
      ...(scopeFilters && { scope_filters_applied: scopeFilters }),
    }
  }
}
