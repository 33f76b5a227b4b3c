import {
  CairnError,
  type ChatScopes,
  type ClearedScopes,
  type ConfiguredScopes,
  type ConfigureScopes,
  type ScopeValues,
} from '@cairn/contract'
import { isForeignKeyViolation } from '../../lib/database-error.ts'
import { checkDefinitions, checkRequired, checkScopes, parseScopes } from './rules.ts'
import type { ScopeStore } from './store.ts'

export class ScopeService {
  readonly #store: ScopeStore

  constructor(store: ScopeStore) {
    this.#store = store
  }

  /** Replaces the whole configuration; a list without scopes clears it. */
  async configure(chatId: string, request: ConfigureScopes): Promise<ConfiguredScopes> {
    const scopes = checkDefinitions(request.scopes)
    if (scopes.length === 0) await this.#store.clear(chatId)
    else await this.#replace(chatId, scopes)
    return { success: true, message: 'the scopes are configured', chat_id: chatId, scopes }
  }

  async list(chatId: string): Promise<ChatScopes> {
    return { chat_id: chatId, scopes: await this.#store.find(chatId) }
  }

  async clear(chatId: string): Promise<ClearedScopes> {
    await this.#store.clear(chatId)
    const message = 'the scope configuration is cleared; documents keep their values'
    return { success: true, message, chat_id: chatId }
  }

  /** The values of an upload; `text` is what its form field `scope_values` holds. */
  async checkUpload(chatId: string, text: string | undefined): Promise<ScopeValues> {
    const definitions = await this.#store.find(chatId)
    const values = parseScopes(text, 'scope_values', definitions)
    checkRequired(values, 'scope_values', definitions)
    return values
  }

  /** The same for values that came as JSON. */
  async checkValues(chatId: string, given: ScopeValues | null | undefined): Promise<ScopeValues> {
    const definitions = await this.#store.find(chatId)
    const values = checkScopes(given, 'scope_values', definitions)
    checkRequired(values, 'scope_values', definitions)
    return values
  }

  /** The filters of a question or search. */
  async checkFilters(chatId: string, filters: ScopeValues): Promise<ScopeValues> {
    return checkScopes(filters, 'scope_filters', await this.#store.find(chatId))
  }

  async #replace(chatId: string, scopes: ConfiguredScopes['scopes']): Promise<void> {
    try {
      await this.#store.replace(chatId, scopes)
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new CairnError('not_found', 'chat not found', { cause: error })
      throw error
    }
  }
}
