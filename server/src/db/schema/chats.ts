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
    /** When its title, settings, access or documents last changed. */
    updated_at: number
    /** Bumped by every write that changes what the chat's index holds. */
    index_version: number
    /** Set on the private sub-chat of an application's user. */
    app_id: string | null
  }
  /** The last settings that were published in each chat, JSON. */
  chat_publications: { chat_id: string; published_at: number; settings: string }
  /** Definitions of scopes, JSON; see `domains/scopes`. */
  scope_configurations: { chat_id: string; definitions: string }
  /** Conversations with models; `session_key` is a hash of the session's name, ids sort by time. */
  chat_turns: {
    chat_id: string
    session_key: string
    turn_id: string
    created_at: number
    question: string
    answer: string
    /** Filters of the question, JSON with sorted names. */
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
  /** `subject` is JSON text, since it may hold any characters. */
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
