import type { Generated } from 'kysely'

interface Chat {
  chat_id: string
  project_id: string
  title: string
  created_at: number
  api_access_enabled: number
  draft_settings: string
  published_settings: string | null
  published_at: number | null
  /** When its title, settings, access or documents last changed. */
  updated_at: number
  /** Increased by every write that changes the content of the chat's search index. */
  index_version: number
  /** The application of the end user whose private chat this is; null for other chats. */
  app_id: string | null
  /** The embedding model that the settings in use choose; null for the server's. */
  embedding_model: string | null
}

/** Lists are JSON. */
interface Application {
  app_id: string
  project_id: string
  chat_id: string
  app_name: string
  issuer: string
  allowed_issuers: string | null
  allowed_audiences: string
  separates_audiences: number
  alg_allowlist: string
  jwks_uri: string | null
  api_access_enabled: number
  created_at: number
}

/** Chats, applications and their users. */
export interface ChatTables {
  /** The view for reads: live chats of live projects. */
  chats: Chat
  /** The table for writes; `state` has a default. */
  chat_rows: Omit<Chat, 'embedding_model'> & {
    state: Generated<'live' | 'deleting'>
    embedding_model: Generated<string | null>
  }
  /** The most recent published settings of each chat, as JSON. */
  chat_publications: { chat_id: string; published_at: number; settings: string }
  /** Definitions of scopes, as JSON; see `domains/scopes`. */
  scope_configurations: { chat_id: string; definitions: string }
  /** Conversations with models; `session_key` is a hash of the session's name, ids sort by time. */
  chat_turns: {
    chat_id: string
    session_key: string
    turn_id: string
    created_at: number
    question: string
    answer: string
    /** Filters of the question, as JSON with sorted names. */
    scope_filters: string
  }
  /** The view for reads: live applications of live chats. */
  applications: Application
  application_rows: Application & { state: Generated<'live' | 'deleting'> }
  /** `subject` is JSON text, because it may contain any characters. */
  app_users: {
    app_id: string
    user_id: string
    chat_id: string
    identity_hash: string
    issuer: string
    subject: string
    created_at: number
  }
}
