import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { type Condition, type FieldName, fields, isNamed, isRange, opinions } from './filters.ts'
import type { Period } from './periods.ts'
import { attributeKeysQuery, valuesQuery } from './queries.ts'

const names = Object.keys(fields) as FieldName[]
/** The values of fields with a fixed list, the default first. */
const choices: Partial<Record<FieldName, readonly string[]>> = {
  status: ['error', 'success'],
  feedback: opinions,
}
const blank: Condition = { field: 'status', name: '', value: '', min: '', max: '' }

function isWhole({ field, name, value, min, max }: Condition): boolean {
  if (isNamed(field) && name.trim() === '') return false
  return isRange(field) ? min !== '' || max !== '' : value !== ''
}

/** The form of one filter condition: its field, and its value or bounds. */
export function FilterForm({
  projectId,
  period,
  condition,
  action,
  onDone,
}: {
  projectId: string
  /** Values of traces in this period are suggested. */
  period: Period
  condition?: Condition
  action: string
  onDone: (condition: Condition) => void
}) {
  const [draft, setDraft] = useState(condition ?? { ...blank, value: 'error' })
  const set = (change: Partial<Condition>) => setDraft({ ...draft, ...change })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble through portals, and must not submit a form around this one.
    event.stopPropagation()
    if (isWhole(draft)) onDone({ ...draft, name: draft.name.trim() })
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <Field label="Filter by">
        {(ids) => (
          <Select
            {...ids}
            value={draft.field}
            onChange={({ target }) =>
              setDraft({
                ...blank,
                field: target.value as FieldName,
                value: choices[target.value as FieldName]?.[0] ?? '',
              })
            }
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {fields[name]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isNamed(draft.field) && <Name projectId={projectId} condition={draft} set={set} />}
      {isRange(draft.field) ? (
        <Bounds condition={draft} set={set} />
      ) : (
        <Value projectId={projectId} period={period} condition={draft} set={set} />
      )}
      <DialogActions>
        <Button type="submit" variant="primary" disabled={!isWhole(draft)}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

interface PartProps {
  condition: Condition
  set: (change: Partial<Condition>) => void
}

function Bounds({ condition: { min, max }, set }: PartProps) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field label="At least">
        {(ids) => (
          <Input
            {...ids}
            inputMode="decimal"
            value={min}
            onChange={({ target }) => set({ min: target.value.trim() })}
          />
        )}
      </Field>
      <Field label="At most">
        {(ids) => (
          <Input
            {...ids}
            inputMode="decimal"
            value={max}
            onChange={({ target }) => set({ max: target.value.trim() })}
          />
        )}
      </Field>
    </div>
  )
}

/** The field for the key of an attribute or the name of a score. */
function Name({ projectId, condition: { field, name }, set }: PartProps & { projectId: string }) {
  const list = useId()
  const isAttribute = field === 'attr'
  const { data: keys = [] } = useQuery({ ...attributeKeysQuery(projectId), enabled: isAttribute })
  return (
    <Field label={isAttribute ? 'Key' : 'Score name'}>
      {(ids) => (
        <>
          <Input
            {...ids}
            list={isAttribute ? list : undefined}
            autoComplete="off"
            value={name}
            placeholder={isAttribute ? 'user.plan' : 'helpfulness'}
            onChange={({ target }) => set({ name: target.value })}
          />
          <Suggestions id={list} values={keys} />
        </>
      )}
    </Field>
  )
}

const suggested = new Set<FieldName>(['model', 'version', 'environment', 'tag'])

/** The group whose values are suggested; undefined for fields with too many values. */
function groupOf({ field, name }: Condition, keys: readonly string[] | undefined): string | undefined {
  if (field === 'attr') return keys?.includes(name) ? `attr.${name}` : undefined
  return suggested.has(field) ? field : undefined
}

function Value({ projectId, period, condition, set }: PartProps & { projectId: string; period: Period }) {
  const { field, value } = condition
  const list = useId()
  const keys = useQuery({ ...attributeKeysQuery(projectId), enabled: field === 'attr' })
  const group = groupOf(condition, keys.data)
  const { data: values = [] } = useQuery({
    ...valuesQuery(projectId, group ?? '', period),
    enabled: group !== undefined,
  })
  return (
    <Field label="Value">
      {(ids) =>
        choices[field] ? (
          <Select {...ids} value={value} onChange={({ target }) => set({ value: target.value })}>
            {choices[field].map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </Select>
        ) : (
          <>
            <Input
              {...ids}
              list={group === undefined ? undefined : list}
              autoComplete="off"
              value={value}
              onChange={({ target }) => set({ value: target.value })}
            />
            <Suggestions id={list} values={values} />
          </>
        )
      }
    </Field>
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
