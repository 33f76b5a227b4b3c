import type { Filters } from '@cairn/sdk'
import { textOf } from '../search-params.ts'
import { type FilterValues, filtersOf } from './filters.ts'
import { periodIn, toPeriodQuery } from './periods.ts'

/** Those parameters of an address that choose traces: filters, text and period. */
export function viewOf(search: Record<string, unknown>): FilterValues {
  const view: Record<string, string | string[] | undefined> = {
    ...filtersOf(search),
    ...periodIn(search),
    q: textOf(search.q),
  }
  return Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  )
}

/** Filters and text, of any time. */
export function conditionsIn(search: Record<string, unknown>): FilterValues {
  const { period: _period, start_date: _start, end_date: _end, ...conditions } = viewOf(search)
  return conditions
}

/** The view as the server takes it: values stay texts, and what is wrong with one the server says. */
export function toQuery(view: FilterValues, now = Date.now()): Filters {
  return { ...conditionsIn(view), ...toPeriodQuery(periodIn(view), now) } as Filters
}
