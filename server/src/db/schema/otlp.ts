/** Spans that arrived by OTLP. */
export interface OtlpTables {
  /** The spans of a request that belong to one trace, as JSON. They stay as long as the trace. */
  otlp_spans: { project_id: string; trace_id: string; item_id: string; spans: Uint8Array }
  /** The rows of `otlp_spans` that are in no trace yet. */
  otlp_pending: {
    project_id: string
    item_id: string
    trace_id: string
    span_count: number
    span_bytes: number
  }
  otlp_traces: {
    project_id: string
    trace_id: string
    /** Different spans, and their bytes as JSON. */
    span_count: number
    span_bytes: number
    /** 1 when the root span has arrived. */
    has_root: number
    /** Set if the trace was deleted: later spans are rejected. */
    deleted_at: number | null
  }
}
