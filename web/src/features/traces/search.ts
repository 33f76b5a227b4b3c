import type { TraceSort } from '@cairn/sdk'
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
  sort_by?: TraceSort | undefined
  order?: 'asc' | undefined
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
    sort_by: oneOf(traceSorts, search.sort_by),
    order: oneOf(['asc'], search.order),
  }
}

/** The state of the page of one trace in the address. Filters are of the list in which it was opened. */
export interface TracePageSearch extends Period {
  q?: string | undefined
  span?: string | undefined
  spans?: SpanView | undefined
  sort_by?: TraceSort | undefined
  order?: 'asc' | undefined
  [filter: string]: string | string[] | undefined
}

export function parseTracePageSearch(search: Record<string, unknown>): TracePageSearch {
  const { trace: _trace, live: _live, ...page } = parseTraceSearch(search)
  return page
}

const traceSorts = ['latency', 'cost', 'tokens'] as const

/** The order of the list; without one, newest first. */
export interface TraceOrder {
  sort_by?: TraceSort | undefined
  order?: 'asc' | undefined
}

export function orderOf({ sort_by, order }: TraceOrder): { sort_by?: TraceSort; order?: 'asc' } {
  return { ...(sort_by && { sort_by }), ...(order && { order }) }
}

/** The order after a click on the head of a column: first descending, then ascending, then newest first again. */
export function nextOrder({ sort_by, order }: TraceOrder, column: string): Required<TraceOrder> {
  const by = oneOf(traceSorts, column)
  const isSame = by === sort_by
  if (isSame && order === undefined) return { sort_by: by, order: 'asc' }
  return isSame ? { sort_by: undefined, order: undefined } : { sort_by: by, order: undefined }
}
