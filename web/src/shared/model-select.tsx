import type { ModelList } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Select } from '../ui/field.tsx'
import { modelsQuery } from './queries/models.ts'

type Model = ModelList['models'][number]

/** The note beside a model that cannot run itself. */
function noteOf({ configured, runs }: Model): string {
  if (configured) return ''
  return runs ? ` – no provider, ${runs} runs` : ' – no provider'
}

/** A choice of models; models with a provider come first. */
export function ModelSelect({
  value,
  onChange,
  none,
  ...ids
}: {
  id?: string
  'aria-label'?: string
  value: string
  onChange: (name: string) => void
  /** Label of the option for no model; without it there is no such option. */
  none?: string
  className?: string
}) {
  const { data } = useQuery(modelsQuery)
  const models =
    data?.models.filter(({ kind, retired, name }) => kind === 'chat' && (!retired || name === value)) ?? []
  const isListed = value === '' || models.some(({ name }) => name === value)
  const groups = [
    { label: 'Ready', models: models.filter(({ configured }) => configured) },
    { label: 'Without a provider', models: models.filter(({ configured }) => !configured) },
  ]
  return (
    <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {!isListed && <option value={value}>{value}</option>}
      {groups
        .filter((group) => group.models.length > 0)
        .map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.models.map((model) => (
              <option key={model.name} value={model.name}>
                {model.name + noteOf(model)}
              </option>
            ))}
          </optgroup>
        ))}
    </Select>
  )
}
