/**
 * The tables as Kysely sees them; the migrations make them. Times are epoch milliseconds, booleans are 0 or 1,
 * JSON is text. Every tenant table begins its primary key with its tenant column.
 */
export interface Tables {
  projects: { project_id: string; name: string; created_at: number }
  api_keys: {
    key_id: string
    project_id: string
    /** Set on the key of a chat; null on the key of a project. */
    chat_id: string | null
    name: string
    permissions: string
    secret_hash: string
    last4: string
    created_at: number
  }
  chats: {
    chat_id: string
    project_id: string
    title: string
    created_at: number
    api_access_enabled: number
    draft_settings: string
    published_settings: string | null
    published_at: number | null
    /** Bumped by every write that changes what the chat's index holds. */
    index_version: number
  }
  traces: {
    project_id: string
    trace_id: string
    created_at: number
    status: string
    model: string | null
    version: string | null
    session_id: string | null
    user_id: string | null
    environment: string | null
    latency_ms: number | null
    cost: number | null
  }
  /** The trace as it was received, as the bytes of its JSON: databases reorder keys and refuse NUL. */
  trace_bodies: { project_id: string; trace_id: string; body: Uint8Array }
  scores: {
    project_id: string
    trace_id: string
    score_id: string
    name: string
    value: number
    comment: string | null
    created_at: number
  }
  documents: {
    chat_id: string
    file_id: string
    filename: string
    sha256: string
    size_bytes: number
    chunk_count: number
    scope_values: string
    created_at: number
  }
  document_texts: { chat_id: string; file_id: string; text: string }
  chunks: {
    chat_id: string
    chunk_id: string
    file_id: string
    chunk_order: number
    /** UTF-16 offsets into the document's text. */
    start_offset: number
    end_offset: number
    page: number | null
    heading_path: string
    text: string
  }
  relationships: {
    chat_id: string
    relationship_id: string
    source_id: string
    target_id: string
    type: string
    properties: string
  }
  /** Due work; see `jobs/`. While a job runs, `run_at` is the end of its lease. */
  jobs: {
    job_id: string
    queue: string
    payload: string
    status: 'queued' | 'dead'
    run_at: number
    /** Who holds the lease; null when nobody does. */
    lock_token: string | null
    /** Times it was begun. */
    attempts: number
    last_error: string | null
    created_at: number
  }
  events: { project_id: string; event_id: string; type: string; data: string; created_at: number }
  webhooks: {
    webhook_id: string
    project_id: string
    url: string
    /** A JSON list of types; `["*"]` stands for all. */
    event_types: string
    description: string
    enabled: number
    disabled_reason: string | null
    /** Sealed by lib/secret-box, as is the previous one. */
    secret: string
    previous_secret: string | null
    previous_secret_until: number | null
    created_at: number
  }
  webhook_deliveries: {
    project_id: string
    delivery_id: string
    webhook_id: string
    event_id: string
    status: 'pending' | 'delivered' | 'failed'
    /** Tries since it was last queued. */
    attempts: number
    /** What came of the last try. */
    response_status: number | null
    error: string | null
    duration_ms: number | null
    last_try_at: number | null
    next_try_at: number | null
    created_at: number
  }
}
