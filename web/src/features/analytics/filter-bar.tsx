import { X } from 'lucide-react'
import { listOf } from '../../app/search-params.ts'
import { AddFilter } from './add-filter.tsx'
import type { Span } from './period.ts'
import { type FilterSearch, filterFields } from './search.ts'

function titleOf(name: string): string {
  const field = filterFields.find((one) => one.name === name)
  if (field) return field.title
  return name.startsWith('attr.') ? name.slice('attr.'.length) : name.slice('score.'.length)
}

/** The filters that hold, each to be taken away, and the way to one more. */
export function FilterBar({
  projectId,
  filters,
  span,
  onChange,
}: {
  projectId: string
  filters: FilterSearch
  span: Span
  onChange: (filters: FilterSearch) => void
}) {
  const chips = Object.entries(filters).flatMap(([name, values]) =>
    listOf(values).map((value) => ({ name, value })),
  )
  const remove = (name: string, value: string) => {
    const { [name]: values, ...others } = filters
    const left = listOf(values).filter((one) => one !== value)
    onChange(left.length === 0 ? others : { ...others, [name]: left })
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {chips.map(({ name, value }) => (
        <span
          key={`${name} ${value}`}
          data-filter={name}
          className="inline-flex h-7 max-w-72 items-center gap-1 rounded-md border bg-surface pr-0.5 pl-2"
        >
          <span className="shrink-0 text-fg-2">{titleOf(name)}</span>
          <span className="truncate font-medium" title={value}>
            {value}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${titleOf(name)} ${value}`}
            className="flex size-6 items-center justify-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg"
            onClick={() => remove(name, value)}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
      <AddFilter projectId={projectId} filters={filters} span={span} onChange={onChange} />
    </div>
  )
}
