import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { FilterBar } from '../../shared/filters/filter-bar.tsx'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { IconButton } from '../../ui/button.tsx'
import { SavedViews } from './saved-views.tsx'

/** The filter bar above lists of traces and sessions. */
export function TraceBar({
  projectId,
  view,
  onChange,
  onRefresh,
  refusal,
  children,
}: {
  projectId: string
  view: FilterValues
  onChange: (view: FilterValues, isTyping?: boolean) => void
  onRefresh: () => void
  /** The reason why the server rejected the filters. */
  refusal: unknown
  children?: ReactNode
}) {
  return (
    <FilterBar projectId={projectId} view={view} refusal={refusal} onChange={onChange}>
      {children}
      <SavedViews key={projectId} projectId={projectId} view={view} onChoose={onChange} />
      <IconButton label="Refresh" onClick={onRefresh}>
        <RefreshCw size={14} />
      </IconButton>
    </FilterBar>
  )
}
