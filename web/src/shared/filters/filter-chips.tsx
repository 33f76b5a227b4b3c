import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { FilterForm } from './filter-form.tsx'
import {
  type Condition,
  chipText,
  conditionsOf,
  type FilterValues,
  withCondition,
  withoutCondition,
} from './filters.ts'
import type { Period } from './periods.ts'

/** The filter conditions as chips, which can be changed and removed, and a button that adds a condition. */
export function FilterChips({
  projectId,
  filters,
  period = {},
  onChange,
}: {
  projectId: string
  filters: FilterValues
  /** Values of traces in this period are suggested. */
  period?: Period
  onChange: (filters: FilterValues) => void
}) {
  const [adding, setAdding] = useState(false)
  const conditions = conditionsOf(filters)
  return (
    <>
      {conditions.map((condition) => (
        <FilterChip
          key={JSON.stringify(condition)}
          projectId={projectId}
          period={period}
          condition={condition}
          onChange={(next) => onChange(withCondition(filters, next, condition))}
          onRemove={() => onChange(withoutCondition(filters, condition))}
        />
      ))}
      <Popover
        label="Add a filter"
        open={adding}
        onOpenChange={setAdding}
        trigger={
          <button type="button" className={buttonClass()}>
            <ListFilter size={14} aria-hidden="true" />
            Filter
          </button>
        }
      >
        <FilterForm
          projectId={projectId}
          period={period}
          action="Add filter"
          onDone={(condition) => {
            setAdding(false)
            onChange(withCondition(filters, condition))
          }}
        />
      </Popover>
    </>
  )
}

function FilterChip({
  projectId,
  period,
  condition,
  onChange,
  onRemove,
}: {
  projectId: string
  period: Period
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove: () => void
}) {
  const [open, setOpen] = useState(false)
  const [title, text] = chipText(condition)
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center rounded-md border bg-selected" data-chip>
      <Popover
        label={`Change the filter ${title}`}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="flex min-w-0 gap-1 rounded-md pl-2" title={`${title}: ${text}`}>
            <span className="shrink-0 text-fg-2">{title}</span>
            <span className="max-w-48 truncate font-medium">{text}</span>
          </button>
        }
      >
        <FilterForm
          projectId={projectId}
          period={period}
          condition={condition}
          action="Change filter"
          onDone={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Popover>
      <button
        type="button"
        aria-label={`Remove the filter ${title}: ${text}`}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-fg-2 hover:text-fg"
        onClick={onRemove}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  )
}
