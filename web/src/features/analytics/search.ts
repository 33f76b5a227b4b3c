import type { Filters } from '@cairn/sdk'
import type { FilterValues } from '../../shared/filters/filters.ts'
import type { Period } from '../../shared/filters/periods.ts'
import { viewOf } from '../../shared/filters/view.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

/** As the client takes them. What is wrong in an address is refused by the server, with its reason. */
export function toFilters(filters: FilterValues): Filters {
  return filters as Filters
}

export const percentiles = ['p50', 'p95', 'p99'] as const
export const dimensions = ['model', 'version', 'tag', 'status', 'environment'] as const
export type Dimension = (typeof dimensions)[number]

export interface AnalyticsSearch extends Period {
  /** `model` …, or `attr.<key>`. */
  group?: string | undefined
  /** Which percentile the groups are compared by. */
  percentile?: (typeof percentiles)[number] | undefined
  /** What the table below the charts breaks down by. */
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
