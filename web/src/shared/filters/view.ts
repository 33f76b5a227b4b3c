import type { Filters } from '@cairn/sdk'
import { textOf } from '../search-params.ts'
import { type FilterValues, filtersOf } from './filters.ts'
import { periodIn, toPeriodQuery } from './periods.ts'

/** The parameters of an address that choose traces: filters, search text and period. */
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

/** Filters and search text without the period. */
export function conditionsIn(search: Record<string, unknown>): FilterValues {
  const { period: _period, start_date: _start, end_date: _end, ...conditions } = viewOf(search)
  return conditions
}

/** The view as a query of the API. Values stay texts, since the server validates them. */
export function toQuery(view: FilterValues, now = Date.now()): Filters {
  return { ...conditionsIn(view), ...toPeriodQuery(periodIn(view), now) } as Filters
}
