interface DocumentColumns {
  chat_id: string
  file_id: string
  filename: string
  /** Of the uploaded bytes; empty when the text was not uploaded, or was changed since. */
  sha256: string
  size_bytes: number
  chunk_count: number
  /** Null for files without pages. */
  pages: number | null
  scope_values: string
  created_at: number
  /** What people added to the node, JSON. */
  properties: string
}

interface ChunkColumns {
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
  /** What people added to the node, JSON. */
  properties: string
}

/**
 * The tables as Kysely sees them; the migrations make them. Times are epoch milliseconds, booleans are 0 or 1,
 * JSON is text. Every tenant table begins its primary key with its tenant column.
 */
export interface Tables {
  projects: { project_id: string; name: string; created_at: number; retention_days: number | null }
  sign_ins: { secret_hash: string; created_at: number; expires_at: number }
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
    /** When its title, settings, access or documents last changed. */
    updated_at: number
    /** Bumped by every write that changes what the chat's index holds. */
    index_version: number
    /** Set on the private sub-chat of an application's user. */
    app_id: string | null
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
    /** `client` or `computed`; null without a cost. The three parts below add up to the cost. */
    cost_source: string | null
    llm_cost: number | null
    embedding_cost: number | null
    reranking_cost: number | null
    prompt_tokens: number | null
    completion_tokens: number | null
    total_tokens: number | null
  }
  trace_labels: { project_id: string; name: string; value: string; created_at: number; trace_id: string }
  rollups: {
    project_id: string
    width_ms: number
    dimension: string
    value: string
    bucket: number
    traces: number
    errors: number
    /** How many traces carry a latency, and the sum of theirs; the same for costs. */
    latencies: number
    latency_sum: number
    costs: number
    cost_sum: number
    llm_cost: number
    embedding_cost: number
    reranking_cost: number
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    /** See `lib/sketch.ts`. */
    latency_sketch: Uint8Array | Int32Array
  }
  idempotency_keys: {
    project_id: string
    key_hash: string
    request_hash: string
    response: string
    created_at: number
  }
  imports: {
    project_id: string
    source: string
    head_bytes: number
    bytes_from: number
    bytes_done: number
    lines_done: number
    imported: number
    rejected: number
    rejected_bytes: number
    updated_at: number
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
    /** USD of the judge's calls to a model. */
    cost: number | null
    /** `human`, `judge`, `batch` or `rule`; null on those of older versions. */
    source: string | null
    /** The batch or the rule. */
    source_id: string | null
    /** The slug of the judge, how it judged and what graded. */
    scorer: string | null
    method: string | null
    model: string | null
  }
  /** Batches of stored traces that a scorer judges. */
  scorings: {
    project_id: string
    scoring_id: string
    scorer: string
    /** JSON: the filters of a list of traces by their names. */
    filter: string
    sample_rate: number
    max_traces: number | null
    overwrite: number
    state: string
    /** Steps that are written; each one follows the one before. */
    step: number
    /** The last trace of these steps, in the order of the list. */
    after_ms: number | null
    after_id: string | null
    total: number | null
    done: number
    failed: number
    already_scored: number
    no_expected_output: number
    deleted: number
    score_sum: number
    cost: number
    error: string | null
    created_at: number
    completed_at: number | null
  }
  scoring_failures: {
    project_id: string
    scoring_id: string
    trace_id: string
    reason: string
    failed_at: number
  }
  /** Scorers that judge traces as they arrive. */
  scoring_rules: {
    project_id: string
    rule_id: string
    name: string
    scorer: string
    filter: string
    sample_rate: number
    enabled: number
    scored: number
    failed: number
    skipped: number
    score_sum: number
    cost: number
    last_scored_at: number | null
    last_error: string | null
    last_error_at: number | null
    created_at: number
    updated_at: number
  }
  /** Traces that a rule has not looked at yet, a few in a row. */
  scoring_arrivals: { project_id: string; rule_id: string; arrival_id: string; trace_ids: string }
  scorers: {
    project_id: string
    slug: string
    description: string | null
    prompt: string
    /** JSON: what the model may choose -> score. */
    choices: string
    model: string | null
    created_at: number
    updated_at: number
  }
  versions: {
    project_id: string
    version_id: string
    version: string
    description: string | null
    /** JSON. */
    config: Uint8Array | null
    created_at: number
  }
  /** The active version of each project that has any. */
  active_versions: { project_id: string; version_id: string; activated_at: number }
  version_activations: {
    project_id: string
    activation_id: string
    version_id: string
    action: string
    activated_at: number
  }
  test_suites: {
    project_id: string
    suite_id: string
    name: string
    description: string | null
    /** JSON, as are the target here and in runs, assertions, verdicts and judgements. */
    tags: string
    target: string | null
    /** Sealed by lib/secret-box, as are those of runs. */
    target_headers: string | null
    created_at: number
  }
  test_cases: {
    project_id: string
    suite_id: string
    case_id: string
    query: string
    expected_answer: string
    category: string | null
    assertions: string
    trace_id: string | null
    created_at: number
  }
  test_runs: {
    project_id: string
    run_id: string
    suite_id: string
    name: string | null
    notes: string | null
    status: 'running' | 'completed' | 'failed' | 'cancelled'
    error: string | null
    target: string
    target_headers: string | null
    version_id: string | null
    version: string | null
    concurrency: number
    timeout_ms: number
    total: number
    /** The first case that no lane has taken. */
    next_position: number
    passed: number
    failed: number
    errors: number
    latency_sum: number
    cost_sum: number
    judge_cost: number
    started_at: number
    completed_at: number | null
  }
  test_results: {
    project_id: string
    run_id: string
    position: number
    case_id: string
    query: string
    expected_answer: string
    category: string | null
    assertions: string
    lane: number | null
    attempts: number
    /** Its number among the results of the run; null, as all below, until there is a result. */
    finished: number | null
    passed: number | null
    actual_output: string | null
    latency_ms: number | null
    cost: number | null
    judge_cost: number | null
    verdicts: string | null
    judgement: string | null
    trace_id: string | null
    error: string | null
  }
  audit_entries: {
    entry_id: string
    created_at: number
    action: string
    params: string
    project_id: string | null
    body: string
    remote_address: string
    status: number | null
  }
  project_prices: {
    project_id: string
    price_id: string
    /** Normalised: the name by which models are compared. */
    model: string
    start_date: number
    input: number
    output: number
    cache_read: number | null
    cache_write: number | null
    reasoning: number | null
    audio_input: number | null
    audio_output: number | null
    created_at: number
  }
  /** A view: the documents that are stored as a whole. What writes names `document_rows`. */
  documents: DocumentColumns
  document_rows: DocumentColumns & {
    state: 'writing' | 'stored' | 'going'
    /** Until when whoever writes or deletes it is believed to be at it; null of one that is stored. */
    lease_until: number | null
  }
  document_text_parts: { chat_id: string; file_id: string; part: number; text: string }
  /** A view: the chunks of `documents`. What writes names `chunk_rows`. */
  chunks: ChunkColumns
  chunk_rows: ChunkColumns
  /** What the chat's index holds of a document; see `domains/retrieval`. */
  document_segments: {
    chat_id: string
    file_id: string
    /** The chat's `index_version` when the document was last changed. */
    version: number
    format: number
    segment: Uint8Array | null
    /** In order, a space between them. */
    chunk_ids: string
  }
  vector_spaces: {
    chat_id: string
    space_id: string
    kind: 'lsa' | 'embedding'
    model: string
    dimensions: number
    fit: Uint8Array | null
    chunk_count: number
    active: number
    created_at: number
  }
  document_vectors: {
    chat_id: string
    space_id: string
    file_id: string
    version: number
    vectors: Uint8Array
  }
  relationships: {
    chat_id: string
    relationship_id: string
    source_id: string
    target_id: string
    type: string
    properties: string
    /** The document that background work made it from; null of those that it did not make. */
    file_id: string | null
  }
  /** What people set on relationships that follow from chunks: on HAS_CHUNK to the chunk, on NEXT from it. JSON. */
  link_properties: { chat_id: string; chunk_id: string; type: 'HAS_CHUNK' | 'NEXT'; properties: string }
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
  model_providers: {
    provider: string
    /** Sealed by lib/secret-box. */
    api_key: string | null
    api_key_last4: string | null
    base_url: string | null
    /** JSON: names and ids. */
    models: string
    updated_at: number
  }
  /** `model` is normalised, as in `project_prices`. */
  credit_multipliers: { model: string; multiplier: number; updated_at: number }
  /** Sums by day; an empty text stands for no chat, application or user. */
  usage_days: {
    project_id: string
    day: number
    chat_id: string
    app_id: string
    user_id: string
    model: string
    purpose: string
    answers: number
    prompt_tokens: number
    completion_tokens: number
    credits: number
    cost: number
    unpriced: number
  }
  budgets: {
    budget_id: string
    project_id: string
    scope: string
    scope_id: string
    period: string
    unit: string
    amount: number
    created_at: number
  }
  /** `spent` is in the unit of the budget; `exceeded_at` is when a question was first refused for it. */
  budget_periods: { budget_id: string; period_start: number; spent: number; exceeded_at: number | null }
  budget_reservations: {
    budget_id: string
    period_start: number
    reservation_id: string
    amount: number
    /** End of the lease. */
    expires_at: number
  }
  events: {
    project_id: string
    event_id: string
    type: string
    data: string
    created_at: number
    /** The chat of the end user who did it. */
    private_chat_id: string | null
  }
  /** Events of end users in their own words; `data` of the same event in `events` names no file. */
  user_events: { chat_id: string; event_id: string; type: string; data: string; created_at: number }
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
