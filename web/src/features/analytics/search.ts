import type { Filters } from '@cairn/sdk'
import { listOf, oneOf, textOf } from '../../app/search-params.ts'
import { presetNames } from './period.ts'

/** The filters of traces that have a name of their own, in the order in which they are offered. */
export const filterFields = [
  { name: 'status', title: 'Status', values: ['success', 'error'] },
  { name: 'model', title: 'Model' },
  { name: 'version', title: 'Version' },
  { name: 'environment', title: 'Environment' },
  { name: 'tag', title: 'Tag' },
  { name: 'session_id', title: 'Session' },
  { name: 'user_id', title: 'User' },
  { name: 'min_latency_ms', title: 'Latency of at least (ms)', number: true },
  { name: 'max_latency_ms', title: 'Latency of at most (ms)', number: true },
  { name: 'min_cost', title: 'Cost of at least (USD)', number: true },
  { name: 'q', title: 'Text' },
] as const

/** Filters as they stand in the address, by the names of the API; also `attr.<key>` and `score.<name>>=`. */
export type FilterSearch = Record<string, string | string[]>

const names = new Set<string>(filterFields.map(({ name }) => name))
const isKeyed = (name: string) => /^(attr|score)\../.test(name)

/** Those of the parameters of an address that filter traces. */
export function filtersIn(search: Record<string, unknown>): FilterSearch {
  const found: FilterSearch = {}
  for (const [name, value] of Object.entries(search)) {
    if (!names.has(name) && !isKeyed(name)) continue
    const values = listOf(value)
    const [first] = values
    if (first !== undefined) found[name] = name === 'tag' && values.length > 1 ? values : first
  }
  return found
}

/** As the client takes them. What is wrong in an address is refused by the server, with its reason. */
export function toFilters(filters: FilterSearch): Filters {
  return filters as Filters
}

/** One filter more; tags come together, others replace the one before. */
export function withFilter(filters: FilterSearch, name: string, value: string): FilterSearch {
  if (name !== 'tag') return { ...filters, [name]: value }
  const tags = [...new Set([...listOf(filters.tag), value])]
  return { ...filters, tag: tags.length === 1 ? value : tags }
}

export const percentiles = ['p50', 'p95', 'p99'] as const
export const dimensions = ['model', 'version', 'tag', 'status', 'environment'] as const
export type Dimension = (typeof dimensions)[number]

export interface AnalyticsSearch {
  period?: (typeof presetNames)[number] | undefined
  start_date?: string | undefined
  end_date?: string | undefined
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
    period: oneOf(presetNames, search.period),
    start_date: textOf(search.start_date),
    end_date: textOf(search.end_date),
    group: isGroup ? group : undefined,
    percentile: oneOf(percentiles, search.percentile),
    top: oneOf(dimensions, search.top),
    ...filtersIn(search),
  }
}
