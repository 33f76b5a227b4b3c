import type { Filters } from '@cairn/sdk'
import { oneOf, textOf } from '../../app/search-params.ts'
import { type FilterValues, filtersOf } from './filters.ts'

export const periods = {
  '1h': { title: 'Last hour', ms: 3_600_000 },
  '24h': { title: 'Last 24 hours', ms: 86_400_000 },
  '7d': { title: 'Last 7 days', ms: 7 * 86_400_000 },
  '30d': { title: 'Last 30 days', ms: 30 * 86_400_000 },
} as const
export type PeriodName = keyof typeof periods
export const periodNames = Object.keys(periods) as PeriodName[]

/** A stretch of time: one that ends now, or one from a time to another (ISO 8601). Without any of them, all. */
export interface Period {
  period?: PeriodName | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/** All that the list of traces takes from the address. */
export interface TraceSearch extends Period {
  q?: string | undefined
  /** The trace in the side panel, and its span that is shown, by its place. */
  trace?: string | undefined
  span?: string | undefined
  live?: '1' | undefined
  /** Filters of traces; see filters.ts. */
  [filter: string]: string | string[] | undefined
}

export function periodOf(search: Record<string, unknown>): Period {
  return {
    period: oneOf(periodNames, search.period),
    start_date: textOf(search.start_date),
    end_date: textOf(search.end_date),
  }
}

export function parseTraceSearch(search: Record<string, unknown>): TraceSearch {
  return {
    ...filtersOf(search),
    ...periodOf(search),
    q: textOf(search.q),
    trace: textOf(search.trace),
    span: textOf(search.span),
    live: oneOf(['1'], search.live),
  }
}

/** What of it chooses the traces; the rest is about how they are looked at. */
export function viewOf(search: TraceSearch): FilterValues {
  const { trace: _trace, span: _span, live: _live, ...view } = search
  return Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  )
}

/** As the server takes it. */
export function toPeriodQuery({ period, start_date, end_date }: Period, now = Date.now()) {
  if (period) return { start_date: new Date(now - periods[period].ms).toISOString() }
  return { ...(start_date && { start_date }), ...(end_date && { end_date }) }
}

/** The view as the server takes it: values stay texts, and what is wrong with one the server says. */
export function toQuery(view: FilterValues, now = Date.now()): Filters {
  const { q } = view
  return { ...filtersOf(view), ...(q && { q }), ...toPeriodQuery(periodOf(view), now) } as Filters
}
