import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'
import { type Period, toPeriodQuery } from './periods.ts'

const usual: Period = { period: '30d' }

/** Values of a field in the traces of a period, the most frequent first; `field` may be `attr.<key>`. */
export function valuesQuery(projectId: string, field: string, period: Period) {
  const isAny = !period.period && !period.start_date && !period.end_date
  const asked = isAny ? usual : period
  return queryOptions({
    queryKey: ['filters', projectId, 'values', field, asked],
    queryFn: async ({ signal }) => {
      const query = { group_by: field, limit: 100, interval: 'month' as const, ...toPeriodQuery(asked) }
      const { series } = await client.analytics.timeseries(projectId, query, { signal })
      return series.flatMap(({ group }) => (group === null ? [] : [group]))
    },
    staleTime: 60_000,
  })
}

/** Keys of custom attributes in the newest traces, for suggestions. */
export function attributeKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['filters', projectId, 'attribute-keys'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { traces } = await client.traces.page(projectId, { limit: 5 }, { signal })
      const whole = await Promise.all(
        traces.map(({ trace_id }) => client.traces.get(projectId, trace_id, { signal })),
      )
      return [...new Set(whole.flatMap(({ custom_attributes }) => Object.keys(custom_attributes)))].sort()
    },
  })
}
