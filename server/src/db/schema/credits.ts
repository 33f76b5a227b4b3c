/** Providers of models, their prices, credits and budgets. */
export interface CreditTables {
  model_providers: {
    provider: string
    /** Encrypted by lib/secret-box. */
    api_key: string | null
    api_key_last4: string | null
    base_url: string | null
    /** Names and ids, as JSON. */
    models: string
    updated_at: number
    /** JSON, encrypted by lib/secret-box. */
    headers: string | null
    /** JSON. */
    options: string
  }
  /** `name` is a field of the contract's ModelDefaults. */
  model_defaults: { name: string; model: string; updated_at: number }
  project_prices: {
    project_id: string
    price_id: string
    /** The normalised name, which comparisons of models use. */
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
  /** `model` is normalised, as in `project_prices`. */
  credit_multipliers: { model: string; multiplier: number; updated_at: number }
  /** Sums by day. An empty text means no chat, application or user. */
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
  /** `spent` is in the unit of the budget. `exceeded_at` is the time of the first question that the budget rejected. */
  budget_periods: { budget_id: string; period_start: number; spent: number; exceeded_at: number | null }
  budget_reservations: {
    budget_id: string
    period_start: number
    reservation_id: string
    amount: number
    /** End of the lease. */
    expires_at: number
  }
}
