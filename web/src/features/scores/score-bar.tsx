import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PeriodPicker } from '../../shared/filters/period-picker.tsx'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { sourceTitles } from '../traces/index.ts'
import { type ScoreFilters, sources } from './search.ts'

/** The filters of the list of scores. */
export function ScoreBar({
  projectId,
  filters,
  onChange,
}: {
  projectId: string
  filters: ScoreFilters
  onChange: (filters: ScoreFilters) => void
}) {
  const { data: scorers = [] } = useQuery(scorersQuery(projectId))
  const { period, start_date, end_date, name, min_value, max_value } = filters
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      <PeriodPicker
        key={JSON.stringify([period, start_date, end_date])}
        value={{ period, start_date, end_date }}
        onChange={(next) =>
          onChange({ ...filters, start_date: undefined, end_date: undefined, period: undefined, ...next })
        }
      />
      <Select
        aria-label="Scorer"
        className="w-44!"
        value={filters.scorer ?? ''}
        onChange={({ target }) => onChange({ ...filters, scorer: target.value || undefined })}
      >
        <option value="">Every scorer</option>
        {scorers.map(({ slug }) => (
          <option key={slug}>{slug}</option>
        ))}
      </Select>
      <Select
        aria-label="Source"
        className="w-36!"
        value={filters.source ?? ''}
        onChange={({ target }) =>
          onChange({ ...filters, source: sources.find((one) => one === target.value) })
        }
      >
        <option value="">Every source</option>
        {sources.map((source) => (
          <option key={source} value={source}>
            {sourceTitles[source]}
          </option>
        ))}
      </Select>
      <Bounds
        key={`${name} ${min_value} ${max_value}`}
        filters={filters}
        onApply={(bounds) => onChange({ ...filters, ...bounds })}
      />
      {isFiltered && (
        <Button variant="ghost" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </search>
  )
}

function Bounds({
  filters,
  onApply,
}: {
  filters: ScoreFilters
  onApply: (bounds: Pick<ScoreFilters, 'name' | 'min_value' | 'max_value'>) => void
}) {
  const [name, setName] = useState(filters.name ?? '')
  const [min, setMin] = useState(filters.min_value ?? '')
  const [max, setMax] = useState(filters.max_value ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply({
      name: name.trim() || undefined,
      min_value: min.trim() || undefined,
      max_value: max.trim() || undefined,
    })
  }
  return (
    <form className="flex items-center gap-1.5" onSubmit={submit}>
      <Input
        aria-label="Score name"
        placeholder="Name"
        data-search
        className="w-36!"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Input
        aria-label="Value at least"
        placeholder="≥ 0"
        inputMode="decimal"
        className="w-16!"
        value={min}
        onChange={({ target }) => setMin(target.value)}
      />
      <Input
        aria-label="Value at most"
        placeholder="≤ 1"
        inputMode="decimal"
        className="w-16!"
        value={max}
        onChange={({ target }) => setMax(target.value)}
      />
      <Button type="submit">Apply</Button>
    </form>
  )
}
