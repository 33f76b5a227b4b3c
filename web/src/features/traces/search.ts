import type { Period } from '../../shared/filters/periods.ts'
import { viewOf } from '../../shared/filters/view.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

/** The state of the list of traces in the address. */
export interface TraceSearch extends Period {
  q?: string | undefined
  /** Id of the trace in the side panel, and index of its open span. */
  trace?: string | undefined
  span?: string | undefined
  live?: '1' | undefined
  /** Filters of traces; see filters/filters.ts. */
  [filter: string]: string | string[] | undefined
}

export function parseTraceSearch(search: Record<string, unknown>): TraceSearch {
  return {
    ...viewOf(search),
    trace: textOf(search.trace),
    span: textOf(search.span),
    live: oneOf(['1'], search.live),
  }
}
