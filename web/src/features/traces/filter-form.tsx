import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { type Condition, type FieldName, fields, isNamed, isRange } from './filters.ts'
import { valuesQuery } from './queries.ts'

const names = Object.keys(fields) as FieldName[]
const blank: Condition = { field: 'status', name: '', value: '', min: '', max: '' }

function isWhole({ field, name, value, min, max }: Condition): boolean {
  if (isNamed(field) && name.trim() === '') return false
  return isRange(field) ? min !== '' || max !== '' : value !== ''
}

/** One filter: what it is about, and its value or bounds. */
export function FilterForm({
  projectId,
  condition,
  action,
  onDone,
}: {
  projectId: string
  condition?: Condition
  action: string
  onDone: (condition: Condition) => void
}) {
  const [draft, setDraft] = useState(condition ?? { ...blank, value: 'error' })
  const set = (change: Partial<Condition>) => setDraft({ ...draft, ...change })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Forms of React bubble through portals: the one that this may stand in is not meant.
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
                value: target.value === 'status' ? 'error' : '',
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
      {isNamed(draft.field) && (
        <Field label={draft.field === 'attr' ? 'Key' : 'Name of the score'}>
          {(ids) => (
            <Input
              {...ids}
              value={draft.name}
              placeholder={draft.field === 'attr' ? 'user.plan' : 'helpfulness'}
              onChange={({ target }) => set({ name: target.value })}
            />
          )}
        </Field>
      )}
      {isRange(draft.field) ? (
        <Bounds condition={draft} set={set} />
      ) : (
        <Value projectId={projectId} condition={draft} set={set} />
      )}
      <DialogActions>
        <Button type="submit" look="primary" disabled={!isWhole(draft)}>
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

function Value({ projectId, condition: { field, value }, set }: PartProps & { projectId: string }) {
  const list = useId()
  const counted = field === 'model' || field === 'version' || field === 'environment' || field === 'tag'
  const { data: values = [] } = useQuery({
    ...valuesQuery(projectId, counted ? field : 'model'),
    enabled: counted,
  })
  return (
    <Field label="Value">
      {(ids) =>
        field === 'status' ? (
          <Select {...ids} value={value} onChange={({ target }) => set({ value: target.value })}>
            <option value="error">error</option>
            <option value="success">success</option>
          </Select>
        ) : (
          <>
            <Input
              {...ids}
              list={counted ? list : undefined}
              autoComplete="off"
              value={value}
              onChange={({ target }) => set({ value: target.value })}
            />
            <datalist id={list}>
              {values.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )
      }
    </Field>
  )
}
