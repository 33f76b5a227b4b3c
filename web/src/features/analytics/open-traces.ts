import { useNavigate } from '@tanstack/react-router'
import { type FilterValues, withFilter } from '../../shared/filters/filters.ts'
import { tracesLink } from '../../shared/traces-link.ts'
import type { Picked } from '../../ui/chart/types.ts'
import type { View } from './queries.ts'

/**
 * Opens the traces behind a clicked point of a chart, by the filters of the view, the interval and the clicked series.
 * `narrow` translates the series into filters.
 */
export function useOpenTraces(
  { projectId, filters, groupBy }: View,
  narrow?: (series: string | undefined) => FilterValues,
) {
  const navigate = useNavigate()
  return ({ from, to, series }: Picked) => {
    const isGroup = groupBy !== undefined && series !== undefined
    void navigate(
      tracesLink(projectId, {
        ...(isGroup ? withFilter(filters, groupBy, series) : filters),
        ...narrow?.(isGroup ? undefined : series),
        start_date: new Date(from).toISOString(),
        end_date: new Date(to).toISOString(),
      }),
    )
  }
}
