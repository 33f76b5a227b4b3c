import type { Filters } from '@cairn/sdk'
import type { FilterValues } from '../../shared/filters/filters.ts'
import type { Period } from '../../shared/filters/periods.ts'
import { viewOf } from '../../shared/filters/view.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

/** Filters in the type of the client. The server validates them. */
export function toFilters(filters: FilterValues): Filters {
  return filters as Filters
}

export const percentiles = ['p50', 'p95', 'p99'] as const
export const dimensions = ['model', 'version', 'tag', 'status', 'environment', 'user_id'] as const
export type Dimension = (typeof dimensions)[number]

export interface AnalyticsSearch extends Period {
  /** A dimension such as `model`, or `attr.<key>`. */
  group?: string | undefined
  /** The latency percentile of grouped charts. */
  percentile?: (typeof percentiles)[number] | undefined
  /** The dimension of the breakdown table. */
  top?: Dimension | undefined
  [filter: string]: string | string[] | undefined
}

export function analyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const group = textOf(search.group)
  const isGroup = oneOf(dimensions, group) !== undefined || (group !== undefined && /^attr\../.test(group))
  return {
    group: isGroup ? group : undefined,
    percentile: oneOf(percentiles, search.percentile),
    top: oneOf(dimensions, search.top),
    ...viewOf(search),
  }
}
