import type { Period } from '../../shared/filters/periods.ts'
import { viewOf } from '../../shared/filters/view.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'
import { type SpanView, spanViews } from './spans/views.ts'

/** The state of the list of traces in the address. */
export interface TraceSearch extends Period {
  q?: string | undefined
  /** Id of the trace in the side panel, its open span, and the view of its spans. */
  trace?: string | undefined
  span?: string | undefined
  spans?: SpanView | undefined
  live?: '1' | undefined
  /** Filters of traces; see filters/filters.ts. */
  [filter: string]: string | string[] | undefined
}

export function parseTraceSearch(search: Record<string, unknown>): TraceSearch {
  return {
    ...viewOf(search),
    trace: textOf(search.trace),
    span: textOf(search.span),
    spans: oneOf(spanViews, search.spans),
    live: oneOf(['1'], search.live),
  }
}

/** The state of the page of one trace in the address. Filters are of the list in which it was opened. */
export interface TracePageSearch extends Period {
  q?: string | undefined
  span?: string | undefined
  spans?: SpanView | undefined
  [filter: string]: string | string[] | undefined
}

export function parseTracePageSearch(search: Record<string, unknown>): TracePageSearch {
  const { trace: _trace, live: _live, ...page } = parseTraceSearch(search)
  return page
}
