/** Versions of a prompt and model, and tests. */
export interface TestingTables {
  versions: {
    project_id: string
    version_id: string
    version: string
    description: string | null
    /** JSON. */
    config: Uint8Array | null
    created_at: number
  }
  /** The active version of each project that has versions. */
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
    /** JSON, like targets, assertions, verdicts and judgements here and in runs. */
    tags: string
    target: string | null
    /** Encrypted by lib/secret-box, like the headers of runs. */
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
    /** The position of the first case that no lane has taken. */
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
    /** Sequence number among the results of the run. Null until there is a result, like the columns below. */
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
}
