import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { attributeKeysQuery } from '../../shared/filters/queries.ts'
import { Input, Select } from '../../ui/field.tsx'
import { dimensions, percentiles } from './search.ts'

const titles: Record<(typeof dimensions)[number], string> = {
  model: 'Model',
  version: 'Version',
  tag: 'Tag',
  status: 'Status',
  environment: 'Environment',
  user_id: 'User',
}

export function dimensionTitle(name: (typeof dimensions)[number]): string {
  return titles[name]
}

/** Chooses the dimension or attribute that the charts are grouped by. */
export function GroupPicker({
  projectId,
  groupBy,
  onChange,
}: {
  projectId: string
  groupBy: string | undefined
  onChange: (groupBy: string | undefined) => void
}) {
  const [asksKey, setAsksKey] = useState(false)
  const isAttribute = asksKey || groupBy?.startsWith('attr.') === true
  return (
    <div className="flex items-center gap-1.5">
      <div className="w-36">
        <Select
          aria-label="Group by"
          value={isAttribute ? 'attr' : (groupBy ?? '')}
          onChange={(event) => {
            const chosen = event.target.value
            setAsksKey(chosen === 'attr')
            if (chosen !== 'attr') onChange(chosen === '' ? undefined : chosen)
          }}
        >
          <option value="">No groups</option>
          {dimensions.map((name) => (
            <option key={name} value={name}>
              By {titles[name].toLowerCase()}
            </option>
          ))}
          <option value="attr">By attribute…</option>
        </Select>
      </div>
      {isAttribute && (
        <AttributeKey
          projectId={projectId}
          value={groupBy?.startsWith('attr.') ? groupBy.slice(5) : ''}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/** The key of an attribute; it applies on Enter, on leaving the field, or once it equals a known key. */
function AttributeKey({
  projectId,
  value,
  onChange,
}: {
  projectId: string
  value: string
  onChange: (groupBy: string | undefined) => void
}) {
  const { data: keys = [] } = useQuery(attributeKeysQuery(projectId))
  const [text, setText] = useState(value)
  const list = useId()
  const take = (key: string) => {
    if (key.trim() !== value) onChange(key.trim() === '' ? undefined : `attr.${key.trim()}`)
  }
  return (
    <form
      className="w-36"
      onSubmit={(event) => {
        event.preventDefault()
        take(text)
      }}
    >
      <Input
        aria-label="Attribute key"
        placeholder="Key"
        list={list}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (keys.includes(event.target.value)) take(event.target.value)
        }}
        onBlur={() => take(text)}
      />
      <datalist id={list}>
        {keys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </form>
  )
}

/** Chooses the latency percentile of grouped charts. */
export function PercentilePicker({
  value,
  onChange,
}: {
  value: (typeof percentiles)[number]
  onChange: (value: (typeof percentiles)[number]) => void
}) {
  return (
    <div className="w-32">
      <Select
        aria-label="Latency percentile"
        value={value}
        onChange={(event) => onChange(event.target.value as (typeof percentiles)[number])}
      >
        {percentiles.map((name) => (
          <option key={name} value={name}>
            Latency {name}
          </option>
        ))}
      </Select>
    </div>
  )
}
