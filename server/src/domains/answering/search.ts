import { limits, type SearchRequest, type SearchResponse } from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import type { ChatService } from '../chats/index.ts'
import { Query, type RetrievalService } from '../retrieval/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import { findContext, sourceOf } from './context.ts'
import { refuseMisspeltFilters } from './question/index.ts'
import type { Rankers } from './rankers.ts'

export interface SearchDependencies {
  chats: ChatService
  scopes: ScopeService
  retrieval: RetrievalService
  rankers: Rankers
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
    const { chats, scopes, retrieval, rankers } = this.#dependencies
    const published = await chats.findPublished(chatId)
    const { query, limit, scope_filters: filters } = request
    const scopeFilters = filters ? await scopes.checkFilters(chatId, filters) : undefined
    const { chat, settings } = published
    const tenant: Tenant = [chat.project_id]
    const payer = { projectId: chat.project_id, chatId, appId: null, userId: null }
    const parameters = {
      tenant,
      query: new Query(query),
      scopeFilters: scopeFilters ?? {},
      limit: limit ?? limits.contextChunks,
    }
    const rank = rankers.rankOf(settings, { tenant, payer })
    const { context } = await findContext(retrieval, sourceOf(published), parameters, rank)
    return {
      chat_id: chatId,
      results: context,
      ...(scopeFilters && { scope_filters_applied: scopeFilters }),
    }
  }
}
