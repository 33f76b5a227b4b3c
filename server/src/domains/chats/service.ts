import {
  CairnError,
  type ChangedSettings,
  type Chat,
  type ChatInfo,
  type ChatSettings,
  type ChatSettingsAnswer,
  type CreateChat,
  type CreatedKey,
  type CreateKey,
  type Deleted,
  defaultChatSettings,
  type Key,
  type Publication,
  type UpdateChat,
  type UpdateSettings,
} from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { type AccessService, newKey, toKey } from '../access/index.ts'
import { checkModels, type KnownModels } from './check-models.ts'
import type { ChatChanges, ChatRow, ChatStore } from './store.ts'
import type { ChatDeletionStore } from './store-deletion.ts'
import { toChat } from './to-chat.ts'

/** A chat with the settings that answers use. */
export interface ConfiguredChat {
  chat: ChatRow
  settings: ChatSettings
}

export interface ChatServiceOptions extends KnownModels {
  store: ChatStore
  deletions: ChatDeletionStore
  access: AccessService
  /** Called when a deletion job was queued. */
  wake: () => void
}

export class ChatService {
  readonly #store: ChatStore
  readonly #access: AccessService
  readonly #options: ChatServiceOptions

  constructor(options: ChatServiceOptions) {
    this.#store = options.store
    this.#access = options.access
    this.#options = options
  }

  /**
   * Creates a chat without published settings (unless `publish` is set), and without API access until its first key.
   */
  async create(projectId: string, request: CreateChat): Promise<Chat> {
    const now = Date.now()
    const row: ChatRow = {
      chat_id: newId('chat', now),
      project_id: projectId,
      title: storable(request.title.trim()),
      created_at: now,
      api_access_enabled: false,
      draft_settings: defaultChatSettings,
      published_settings: request.publish ? defaultChatSettings : null,
      published_at: request.publish ? now : null,
      updated_at: now,
      index_version: 0,
      app_id: null,
    }
    if ((await this.#store.insert(row)) === 'no_project') {
      throw new CairnError('not_found', 'project not found')
    }
    return toChat(row, 0)
  }

  async list(projectId: string): Promise<Chat[]> {
    await this.#access.getProject(projectId)
    const rows = await this.#store.listByProject(projectId)
    const counts = await this.#store.fileCounts(rows.map(({ chat_id }) => chat_id))
    return rows.map((row) => toChat(row, counts.get(row.chat_id) ?? 0))
  }

  async get(chatId: string): Promise<Chat> {
    return this.#counted(await this.find(chatId))
  }

  /** @throws CairnError `not_found` */
  async find(chatId: string): Promise<ChatRow> {
    const row = await this.#store.find(chatId)
    if (!row) throw new CairnError('not_found', 'chat not found')
    return row
  }

  /** A chat of the project, but no user's private chat; undefined if there is no such chat. */
  async findOf(projectId: string, chatId: string): Promise<ChatRow | undefined> {
    const row = await this.#store.find(chatId)
    return row?.project_id === projectId && row.app_id === null ? row : undefined
  }

  /** The id of the project's oldest chat with published settings. */
  firstPublished(projectId: string): Promise<string | undefined> {
    return this.#store.firstPublished(projectId)
  }

  /** The properties of a chat that authorization needs. */
  async findAccess(chatId: string): Promise<{ apiAccessEnabled: boolean; isPrivate: boolean } | undefined> {
    const row = await this.#store.find(chatId)
    return row && { apiAccessEnabled: row.api_access_enabled, isPrivate: row.app_id !== null }
  }

  async projectOf(chatId: string): Promise<string | undefined> {
    return (await this.#store.find(chatId))?.project_id
  }

  /** @throws CairnError `not_published` if the chat has no published settings */
  async findPublished(chatId: string): Promise<ConfiguredChat> {
    const chat = await this.find(chatId)
    if (chat.published_settings) return { chat, settings: chat.published_settings }
    throw new CairnError('not_published', 'the chat has no published settings; publish them first')
  }

  /** The chat with its draft settings, for previews. */
  async findDraft(chatId: string): Promise<ConfiguredChat> {
    const chat = await this.find(chatId)
    return { chat, settings: chat.draft_settings }
  }

  async update(chatId: string, request: UpdateChat): Promise<Chat> {
    checkModels(this.#options, request.settings, 'settings.')
    return this.#change(chatId, (chat) => ({
      ...(request.title != null && { title: storable(request.title.trim()) }),
      ...(request.api_access_enabled != null && { api_access_enabled: request.api_access_enabled }),
      ...(request.settings && {
        draft_settings: { ...chat.draft_settings, ...knownSettings(request.settings) },
      }),
    }))
  }

  publish(chatId: string): Promise<Chat> {
    return this.#change(chatId, (chat) => ({ published_settings: chat.draft_settings }))
  }

  unpublish(chatId: string): Promise<Chat> {
    return this.#change(chatId, () => ({ published_settings: null, published_at: null }))
  }

  /** The published settings, or the draft if none are published. */
  async settings(chatId: string): Promise<ChatSettingsAnswer> {
    const { published_settings, draft_settings } = await this.find(chatId)
    return { success: true, chat_id: chatId, settings: published_settings ?? draft_settings }
  }

  /** Changes the draft and publishes it. */
  async publishChanges(chatId: string, request: UpdateSettings): Promise<ChangedSettings> {
    checkModels(this.#options, request)
    const changes = knownSettings(request)
    const { settings } = await this.#change(chatId, (chat) => {
      const draft = { ...chat.draft_settings, ...changes }
      return { draft_settings: draft, published_settings: draft }
    })
    const message = 'the settings are published'
    return { success: true, chat_id: chatId, updated: Object.keys(changes), settings, message }
  }

  /** The most recent publications of the settings, newest first; at most `limits.publicationsKept`. */
  async history(chatId: string): Promise<Publication[]> {
    await this.find(chatId)
    const rows = await this.#store.publications(chatId)
    return rows.map(({ published_at, settings }) => ({ published_at: toIso(published_at), settings }))
  }

  async delete(chatId: string): Promise<Deleted> {
    if (await this.startDeletion(chatId)) {
      return { success: true, message: 'chat deleted with its documents and keys' }
    }
    throw new CairnError('not_found', 'chat not found')
  }

  /** Hides the chat; a job then deletes its data. Returns false if the chat does not exist. */
  async startDeletion(chatId: string): Promise<boolean> {
    const isStarted = await this.#options.deletions.start(chatId)
    this.#access.forgetKeys()
    this.#options.wake()
    return isStarted
  }

  /** Creates a key of the chat. Enables API access if the chat has no other key. */
  async createKey(chatId: string, request: CreateKey): Promise<CreatedKey> {
    const { project_id: projectId } = await this.find(chatId)
    const { row, token, secretHash } = newKey({ projectId, chatId }, request)
    if ((await this.#store.insertKey(chatId, row, secretHash)) === 'no_chat') {
      throw new CairnError('not_found', 'chat not found')
    }
    return { ...toKey(row), api_key: token }
  }

  async listKeys(chatId: string): Promise<Key[]> {
    await this.find(chatId)
    return this.#access.listChatKeys(chatId)
  }

  async info(chatId: string): Promise<ChatInfo> {
    const row = await this.find(chatId)
    const files = (row.published_settings ?? row.draft_settings).context_files
    // Matched in memory, because the setting may contain more ids than a statement can have parameters, and any text.
    const stored = await this.#store.documentIds(chatId)
    const named = files === 'all' ? undefined : new Set(files)
    return {
      chat_id: row.chat_id,
      title: row.title,
      created_at: toIso(row.created_at),
      has_api_access: row.api_access_enabled,
      published: row.published_settings !== null,
      visibility: 'private',
      context_files: stored.filter((fileId) => named?.has(fileId) ?? true).length,
      api_version: 'v1',
    }
  }

  async #change(chatId: string, change: (chat: ChatRow) => ChatChanges): Promise<Chat> {
    const row = await this.#store.update(chatId, change)
    if (!row) throw new CairnError('not_found', 'chat not found')
    return this.#counted(row)
  }

  async #counted(row: ChatRow): Promise<Chat> {
    const counts = await this.#store.fileCounts([row.chat_id])
    return toChat(row, counts.get(row.chat_id) ?? 0)
  }
}

/** Keeps only known settings, because unknown fields of a body are ignored and must not be stored. */
function knownSettings(settings: Partial<ChatSettings>): Partial<ChatSettings> {
  const names = Object.keys(defaultChatSettings)
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))
}
