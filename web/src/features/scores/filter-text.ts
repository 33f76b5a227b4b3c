import { chipText, conditionsOf, filtersOf } from '../../shared/filters/filters.ts'

/** The filter of a batch or rule as text. */
export function filterText(filter: Record<string, unknown>): string {
  const { q, start_date: start, end_date: end } = filter
  const parts = conditionsOf(filtersOf(filter)).map((condition) => chipText(condition).join(' '))
  if (q) parts.push(`with “${q}”`)
  if (start) parts.push(`since ${String(start).slice(0, 16)}`)
  if (end) parts.push(`before ${String(end).slice(0, 16)}`)
  return parts.length > 0 ? parts.join(', ') : 'All'
}
