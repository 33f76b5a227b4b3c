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

/** The chat of an end user, and the one whose scopes hold there. */
interface PrivateChat {
  chatId: string
  parentChatId: string
}

/** How many different scopes the documents of a private chat may carry beside those that are inherited. */
export interface UserScopeLimit {
  most: number
  inherited: readonly string[]
}

export interface PrivateScopes {
  values: ScopeValues
  /** Undefined for values of inherited scopes alone. To be held again where the document is stored. */
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

  /** The values of an upload; `text` is what its form field `scope_values` holds. */
  async checkUpload(chatId: string, text: string | undefined): Promise<ScopeValues> {
    const definitions = await this.#store.find(chatId)
    const values = parseScopes(text, 'scope_values', definitions)
    checkRequired(values, 'scope_values', definitions)
    return values
  }

  /**
   * The values of an end user's upload: as the parent chat defines them, and any others of the user's own, as long as
   * there are not too many different ones in all.
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

  /** That checked values of a user leave no more scopes than there may be; answers what limits their own ones. */
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
      const message = `scope_values would make more than ${limits.scopesPerChat} scopes of your files and the chat together`
      throw new CairnError('invalid_request', message)
    }
    return { most: limits.scopesPerChat - inherited.length, inherited }
  }

  /** The filters of an end user's question, which may name scopes of their own. `text` is what the form field holds. */
  async checkPrivateFilters({ parentChatId }: PrivateChat, text: string | undefined): Promise<ScopeValues> {
    return parseScopes(text, 'scope_filters', await this.#store.find(parentChatId), true)
  }

  /** `checkUpload` for values that came as JSON. */
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
    if ((await this.#store.replace(chatId, scopes)) === 'no_chat') {
      throw new CairnError('not_found', 'chat not found')
    }
  }
}
