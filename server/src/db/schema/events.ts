/** Events and webhooks, and the queue of background work. */
export interface EventTables {
  events: {
    project_id: string
    event_id: string
    type: string
    data: string
    created_at: number
    /** The chat of the end user who caused the event. */
    private_chat_id: string | null
    /** The file that the event names to the developer, and the end user. */
    file_id: string | null
    user_id: string | null
  }
  /** Full events of end users. The row of the same event in `events` names no file. */
  user_events: { chat_id: string; event_id: string; type: string; data: string; created_at: number }
  webhooks: {
    webhook_id: string
    project_id: string
    url: string
    /** A JSON list of types; `["*"]` means all. */
    event_types: string
    description: string
    enabled: number
    disabled_reason: string | null
    /** Encrypted by lib/secret-box, like the previous secret. */
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
    /** Tries since the delivery was last queued. */
    attempts: number
    /** Outcome of the last try. */
    response_status: number | null
    error: string | null
    duration_ms: number | null
    last_try_at: number | null
    next_try_at: number | null
    created_at: number
  }
  /** Background work; see `jobs/`. While a job runs, `run_at` is the end of its lease. */
  jobs: {
    job_id: string
    queue: string
    /** The project of the job; empty if unknown. */
    project_id: string
    payload: string
    status: 'queued' | 'dead'
    run_at: number
    /** Identifies the holder of the lease; null without a holder. */
    lock_token: string | null
    /** Number of starts. */
    attempts: number
    last_error: string | null
    created_at: number
  }
}
