/** Chats, applications and their users. */
export interface ChatTables {
  chats: {
    chat_id: string
    project_id: string
    title: string
    created_at: number
    api_access_enabled: number
    draft_settings: string
    published_settings: string | null
    published_at: number | null
    /** The last change of the title, settings, access or documents. */
    updated_at: number
    /** Increased by every write that changes the content of the chat's search index. */
    index_version: number
    /** Only for private sub-chats of application users. */
    app_id: string | null
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
  /** Lists are JSON. */
  applications: {
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
