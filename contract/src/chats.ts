import { type Static, Type } from 'typebox'
import { absent, body, Name, Timestamp } from './common.ts'
import { EmbeddingChoice } from './models.ts'

/** Settings of a chat. Edits change the draft; answers use the published copy. */
export const ChatSettings = Type.Object({
  selected_model: Type.String({ minLength: 1, maxLength: 200 }),
  temperature: Type.Number({ minimum: 0, maximum: 2 }),
  max_tokens: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  custom_prompt: Type.Union([Type.String({ maxLength: 100_000 }), Type.Null()]),
  conversation_history_limit: Type.Integer({ minimum: 0, maximum: 1000 }),
  context_files: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
    description: 'ids of the files that answers may use; "all" includes later uploads',
  }),
  show_sources_to_users: Type.Boolean(),
  rerank_model: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
    description: 'ranks the passages: a rerank model, "chat" for the model that answers, or null',
  }),
  embedding_model: Type.Union([EmbeddingChoice, Type.Null()], {
    description: "model that embeds documents and questions; `none`: no model; null: the server's",
  }),
  quote_on_failure: Type.Boolean({
    description: 'if no model responds, the built-in answerer quotes the documents',
  }),
})
export type ChatSettings = Static<typeof ChatSettings>

export const defaultChatSettings: ChatSettings = {
  selected_model: 'gpt-4o-mini',
  temperature: 0.7,
  max_tokens: 1000,
  custom_prompt: null,
  conversation_history_limit: 20,
  context_files: 'all',
  show_sources_to_users: true,
  rerank_model: null,
  embedding_model: null,
  quote_on_failure: false,
}

export const CreateChat = body({
  title: Name,
  publish: absent(Type.Boolean({ description: 'publish the default settings immediately; default false' })),
})
export type CreateChat = Static<typeof CreateChat>

export const UpdateChat = body({
  title: absent(Name),
  settings: absent(Type.Partial(ChatSettings)),
  api_access_enabled: absent(Type.Boolean()),
})
export type UpdateChat = Static<typeof UpdateChat>

/** Settings that a key of the chat may change. Every field is optional. */
export const UpdateSettings = Type.Partial(ChatSettings)
export type UpdateSettings = Static<typeof UpdateSettings>

export const ChatSettingsAnswer = Type.Object({
  success: Type.Literal(true),
  chat_id: Type.String(),
  settings: ChatSettings,
})
export type ChatSettingsAnswer = Static<typeof ChatSettingsAnswer>

export const ChangedSettings = Type.Object({
  success: Type.Literal(true),
  chat_id: Type.String(),
  updated: Type.Array(Type.String(), { description: 'names of the settings in the request' }),
  settings: ChatSettings,
  message: Type.String(),
})
export type ChangedSettings = Static<typeof ChangedSettings>

/** A published copy of the settings. */
export const Publication = Type.Object({ published_at: Timestamp, settings: ChatSettings })
export type Publication = Static<typeof Publication>

export const Chat = Type.Object({
  chat_id: Type.String(),
  project_id: Type.String(),
  title: Type.String(),
  created_at: Timestamp,
  updated_at: Type.String({
    format: 'date-time',
    description: 'last change of the title, settings, access or documents',
  }),
  file_count: Type.Integer({ minimum: 0 }),
  api_access_enabled: Type.Boolean(),
  published: Type.Boolean(),
  published_at: Type.Union([Timestamp, Type.Null()]),
  settings: ChatSettings,
  published_settings: Type.Union([ChatSettings, Type.Null()]),
})
export type Chat = Static<typeof Chat>

export const ChatInfo = Type.Object({
  chat_id: Type.String(),
  title: Type.String(),
  created_at: Timestamp,
  has_api_access: Type.Boolean(),
  published: Type.Boolean(),
  visibility: Type.Literal('private'),
  context_files: Type.Integer({ description: 'number of files that answers may use' }),
  api_version: Type.Literal('v1'),
})
export type ChatInfo = Static<typeof ChatInfo>
