import type { FilterValues } from './filters.ts'
import { toQuery } from './view.ts'

const numbers = new Set(['min_latency_ms', 'max_latency_ms', 'min_cost', 'max_cost'])

/** A view of traces as the filter of a batch or a rule, where bounds are numbers. */
export function toFilterBody(view: FilterValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(toQuery(view)).map(([key, value]) => [key, numbers.has(key) ? Number(value) : value]),
  )
}
