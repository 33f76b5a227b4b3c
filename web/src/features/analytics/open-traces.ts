import { useNavigate } from '@tanstack/react-router'
import type { Picked } from '../../ui/chart/types.ts'
import { type FilterValues, withFilter } from '../../shared/filters/filters.ts'
import type { View } from './queries.ts'

/** Address of the list of traces with these filters. */
export function tracesPlace(projectId: string, search: Record<string, string | string[]>) {
  // The list of traces checks its search parameters itself.
  return { to: `/projects/${projectId}/traces` as string, search: search as never }
}

/**
 * Opens the traces behind a point of a chart: of its time and the view's filters, and of the series that was clicked
 * where `narrow` says what that one stands for.
 */
export function useOpenTraces(
  { projectId, filters, group }: View,
  narrow?: (series: string | undefined) => FilterValues,
) {
  const navigate = useNavigate()
  return ({ from, to, series }: Picked) => {
    const isGroup = group !== undefined && series !== undefined
    void navigate(
      tracesPlace(projectId, {
        ...(isGroup ? withFilter(filters, group, series) : filters),
        ...narrow?.(isGroup ? undefined : series),
        start_date: new Date(from).toISOString(),
        end_date: new Date(to).toISOString(),
      }),
    )
  }
}
