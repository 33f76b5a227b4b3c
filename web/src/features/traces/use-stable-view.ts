import { useMemo } from 'react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { viewOf } from '../../shared/filters/view.ts'

/** The filters in an address. Equal filters keep the same object, so that queries and memos stay stable. */
export function useStableView(search: Record<string, unknown>): FilterValues {
  const text = JSON.stringify(viewOf(search))
  return useMemo(() => JSON.parse(text) as FilterValues, [text])
}
