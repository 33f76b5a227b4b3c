/** Scorers, batches and rules. */
export interface ScoringTables {
  scorers: {
    project_id: string
    slug: string
    description: string | null
    prompt: string
    /** JSON: each choice of the model and its score. */
    choices: string
    model: string | null
    created_at: number
    updated_at: number
  }
  /** Batches of stored traces that a scorer scores. */
  scorings: {
    project_id: string
    scoring_id: string
    scorer: string
    /** JSON: the filters of the list of traces, by name. */
    filter: string
    sample_rate: number
    max_traces: number | null
    overwrite: number
    state: string
    /** Number of committed steps. */
    step: number
    /** The last trace of these steps, in list order. */
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
  /** Rules: scorers that score traces as they arrive. */
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
  /** Traces that a rule has not scored yet, a few per row. */
  scoring_arrivals: { project_id: string; rule_id: string; arrival_id: string; trace_ids: string }
}
