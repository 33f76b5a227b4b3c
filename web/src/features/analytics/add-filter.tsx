import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import type { Span } from './period.ts'
import { attributeKeysQuery, breakdownQuery } from './queries.ts'
import { type FilterSearch, filterFields, withFilter } from './search.ts'

interface Props {
  projectId: string
  filters: FilterSearch
  span: Span
  onChange: (filters: FilterSearch) => void
}

/** A button with a small form for one filter more. */
export function AddFilter(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className={buttonClass('ghost')} data-search>
          <ListFilter size={14} aria-hidden="true" />
          Filter
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label="Add a filter"
          className="z-50 w-72 rounded-md border bg-raised p-3"
        >
          <FilterForm
            {...props}
            onChange={(filters) => {
              setOpen(false)
              props.onChange(filters)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const suggested = new Set(['model', 'version', 'environment', 'tag'])

function FilterForm({ projectId, filters, span, onChange }: Props) {
  const [name, setName] = useState('status')
  const [key, setKey] = useState('')
  const [value, setValue] = useState('success')
  const list = useId()
  const field = filterFields.find((one) => one.name === name)
  const isAttribute = name === 'attr'
  const { data: keys = [] } = useQuery({ ...attributeKeysQuery(projectId), enabled: isAttribute })
  const by = isAttribute && keys.includes(key) ? `attr.${key}` : name
  const { data: found } = useQuery({
    ...breakdownQuery(projectId, {}, span, by, 50),
    enabled: suggested.has(by) || by.startsWith('attr.'),
  })
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(withFilter(filters, isAttribute ? `attr.${key.trim()}` : name, value.trim()))
      }}
    >
      <Field label="Filter by">
        {(ids) => (
          <Select
            {...ids}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setValue(event.target.value === 'status' ? 'success' : '')
            }}
          >
            {filterFields.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
            <option value="attr">Attribute</option>
          </Select>
        )}
      </Field>
      {isAttribute && (
        <Field label="Attribute" hint="Its key; inside of another with dots">
          {(ids) => (
            <>
              <Input
                {...ids}
                required
                list={`${list}-keys`}
                value={key}
                onChange={(event) => setKey(event.target.value)}
              />
              <Suggestions id={`${list}-keys`} values={keys} />
            </>
          )}
        </Field>
      )}
      <Field label="Value">
        {(ids) =>
          field && 'values' in field ? (
            <Select {...ids} value={value} onChange={(event) => setValue(event.target.value)}>
              {field.values.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </Select>
          ) : (
            <>
              <Input
                {...ids}
                required
                list={list}
                {...(field && 'number' in field && { type: 'number', min: 0, step: 'any' })}
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
              <Suggestions id={list} values={found?.groups.map(({ group }) => group) ?? []} />
            </>
          )
        }
      </Field>
      <Button type="submit" look="primary">
        Add filter
      </Button>
    </form>
  )
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
