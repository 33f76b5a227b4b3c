import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type FilterValues, filtersOf } from './filters.ts'
import { PeriodPicker } from './period-picker.tsx'
import { type PeriodName, periodIn } from './periods.ts'
import { SearchField } from './search-field.tsx'

/** Search text, period and conditions of a list of traces; `children` are further controls of the list. */
export function FilterBar({
  projectId,
  view,
  onChange,
  fallback,
  refusal,
  children,
}: {
  projectId: string
  view: FilterValues
  /** `isTyping`: the search text grows, so the address replaces the one before. */
  onChange: (view: FilterValues, isTyping?: boolean) => void
  /** The period shown while none is chosen; without it, all time. */
  fallback?: PeriodName
  /** The reason why the server rejected the filters. */
  refusal?: unknown
  children?: ReactNode
}) {
  const filters = filtersOf(view)
  const period = periodIn(view)
  const text = typeof view.q === 'string' ? view.q : ''
  const change = (part: Record<string, string | string[] | undefined>, isTyping = false) =>
    onChange(
      Object.fromEntries(
        Object.entries(part).filter((entry): entry is [string, string | string[]] => Boolean(entry[1])),
      ),
      isTyping,
    )
  return (
    <search aria-label="Filters" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <SearchField
          text={text}
          onSearch={(q) => change({ ...filters, ...period, q }, text !== '' && q !== '')}
        />
        <PeriodPicker
          key={JSON.stringify(period)}
          value={period}
          fallback={fallback}
          onChange={(next) => change({ ...filters, ...next, q: text })}
        />
        <FilterChips
          projectId={projectId}
          filters={filters}
          period={period}
          onChange={(next) => change({ ...next, ...period, q: text })}
        />
        {Object.keys(view).length > 0 && (
          <Button variant="ghost" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-1.5">{children}</span>
      </div>
      {refusal !== undefined && (
        <p role="alert" className="text-error">
          {messageOf(refusal)}
        </p>
      )}
    </search>
  )
}
