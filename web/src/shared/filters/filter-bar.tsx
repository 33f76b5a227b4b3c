import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type FilterValues, filtersOf } from './filters.ts'
import { PeriodPicker } from './period-picker.tsx'
import { type PeriodName, periodIn } from './periods.ts'

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
  onChange: (view: FilterValues) => void
  /** The period shown while none is chosen; without it, all time. */
  fallback?: PeriodName
  /** The reason why the server rejected the filters. */
  refusal?: unknown
  children?: ReactNode
}) {
  const filters = filtersOf(view)
  const period = periodIn(view)
  const text = typeof view.q === 'string' ? view.q : ''
  const change = (part: Record<string, string | string[] | undefined>) =>
    onChange(
      Object.fromEntries(
        Object.entries(part).filter((entry): entry is [string, string | string[]] => Boolean(entry[1])),
      ),
    )
  return (
    <search aria-label="Filters" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <SearchField key={text} text={text} onSearch={(q) => change({ ...filters, ...period, q })} />
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

function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [draft, setDraft] = useState(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.trim() !== text) onSearch(draft.trim())
  }
  return (
    <form className="relative w-full sm:w-60" onSubmit={submit}>
      <Search size={14} className="absolute top-[7px] left-2 text-fg-3" aria-hidden="true" />
      <Input
        type="search"
        data-search
        aria-label="Search in inputs and outputs"
        placeholder="Search in inputs and outputs"
        className="pl-7"
        value={draft}
        maxLength={1000}
        onChange={({ target }) => {
          setDraft(target.value)
          // The clear button of the field searches at once.
          if (target.value === '' && text !== '') onSearch('')
        }}
      />
    </form>
  )
}
