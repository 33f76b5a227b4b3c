/** Traces, their labels and scores, and their rollups. */
export interface TraceTables {
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
    /** `client` or `computed`; null without a cost. The three columns below add up to the cost. */
    cost_source: string | null
    llm_cost: number | null
    embedding_cost: number | null
    reranking_cost: number | null
    prompt_tokens: number | null
    completion_tokens: number | null
    total_tokens: number | null
    /** How often the stored trace was changed: put together again from its spans, or tagged. */
    revision: number
    /** Changes of the tags after the trace was received: JSON with `add` and `remove`. */
    tag_edits: string | null
  }
  trace_labels: { project_id: string; name: string; value: string; created_at: number; trace_id: string }
  /** The received trace as JSON bytes, because databases reorder keys and reject NUL. */
  trace_bodies: { project_id: string; trace_id: string; body: Uint8Array }
  rollups: {
    project_id: string
    width_ms: number
    dimension: string
    value: string
    bucket: number
    traces: number
    errors: number
    /** Number of traces with a latency, and the sum of these latencies; the same for costs. */
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
  scores: {
    project_id: string
    trace_id: string
    score_id: string
    name: string
    value: number
    comment: string | null
    created_at: number
    /** USD of the scorer's model calls. */
    cost: number | null
    /** `human`, `judge`, `batch` or `rule`; null for scores of older versions. */
    source: string | null
    /** The id of the batch or rule. */
    source_id: string | null
    /** The slug of the scorer, its method, and its model. */
    scorer: string | null
    method: string | null
    model: string | null
    /** The scored span; null for the whole trace. */
    span_id: string | null
  }
  /** The chat in which the answer of a trace was asked for: an end user's private chat, or a chat of the project. */
  answer_chats: { project_id: string; trace_id: string; chat_id: string }
  idempotency_keys: {
    project_id: string
    key_hash: string
    request_hash: string
    response: string
    created_at: number
    /** 0 while some traces of the stored response may be missing. */
    complete: number
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
}
