import {
  CairnError,
  type ChatScopes,
  type ClearedScopes,
  type ConfiguredScopes,
  type ConfigureScopes,
  limits,
  type ScopeValues,
} from '@cairn/contract'
import { checkDefinitions, checkRequired, checkScopes, parseScopes } from './rules.ts'
import type { ScopeStore } from './store.ts'

/** An end user's private chat, and the parent chat, whose configured scopes it inherits. */
interface PrivateChat {
  chatId: string
  parentChatId: string
}

/** Maximum number of distinct scopes in the documents of a private chat, except the inherited ones. */
export interface UserScopeLimit {
  max: number
  inherited: readonly string[]
}

export interface PrivateScopes {
  values: ScopeValues
  /** Undefined if all scopes are inherited. The transaction that stores the document must check it again. */
  limit: UserScopeLimit | undefined
}

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

  /** Checks the values of an upload; `text` is its form field `scope_values`. */
  async checkUpload(chatId: string, text: string | undefined): Promise<ScopeValues> {
    const definitions = await this.#store.find(chatId)
    const values = parseScopes(text, 'scope_values', definitions)
    checkRequired(values, 'scope_values', definitions)
    return values
  }

  /**
   * Checks the values of an end user's upload: scopes of the parent chat, and custom scopes of the user up to the
   * limit.
   */
  async checkPrivateUpload(
    { chatId, parentChatId }: PrivateChat,
    text: string | undefined,
  ): Promise<PrivateScopes> {
    const definitions = await this.#store.find(parentChatId)
    const values = parseScopes(text, 'scope_values', definitions, true)
    checkRequired(values, 'scope_values', definitions)
    return { values, limit: await this.checkUserScopes({ chatId, parentChatId }, values) }
  }

  /**
   * Checks that a user's values do not exceed the maximum number of scopes; returns the limit of custom scopes, or
   * undefined if all scopes are inherited.
   *
   * @throws CairnError `invalid_request`
   */
  async checkUserScopes(
    { chatId, parentChatId }: PrivateChat,
    values: ScopeValues,
  ): Promise<UserScopeLimit | undefined> {
    const inherited = (await this.#store.find(parentChatId)).map(({ name }) => name)
    const known = new Set(inherited)
    const others = Object.keys(values).filter((name) => !known.has(name))
    if (others.length === 0) return undefined
    for (const name of [...(await this.#store.namesUsed(chatId)), ...others]) known.add(name)
    if (known.size > limits.scopesPerChat) {
      const message = `with scope_values, your files and the chat would have more than ${limits.scopesPerChat} scopes; use fewer names`
      throw new CairnError('invalid_request', message)
    }
    return { max: limits.scopesPerChat - inherited.length, inherited }
  }

  /** Checks the filters of an end user's question, which may contain custom scopes; `text` is the form field. */
  async checkPrivateFilters({ parentChatId }: PrivateChat, text: string | undefined): Promise<ScopeValues> {
    return parseScopes(text, 'scope_filters', await this.#store.find(parentChatId), true)
  }

  /** `checkUpload` for values from a JSON body. */
  async checkValues(chatId: string, given: ScopeValues | null | undefined): Promise<ScopeValues> {
    const definitions = await this.#store.find(chatId)
    const values = checkScopes(given, 'scope_values', definitions)
    checkRequired(values, 'scope_values', definitions)
    return values
  }

  /** Checks the filters of a question or search. */
  async checkFilters(chatId: string, filters: ScopeValues): Promise<ScopeValues> {
    return checkScopes(filters, 'scope_filters', await this.#store.find(chatId))
  }

  async #replace(chatId: string, scopes: ConfiguredScopes['scopes']): Promise<void> {
    if ((await this.#store.replace(chatId, scopes)) === 'no_chat') {
      throw new CairnError('not_found', 'chat not found')
    }
  }
}
