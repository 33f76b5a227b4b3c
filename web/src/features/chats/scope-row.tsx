import type { ScopeDefinition } from '@cairn/sdk'
import { X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx'

const types = ['string', 'number', 'boolean'] as const

/** The fields of one scope. */
export function ScopeRow({
  scope,
  number,
  error,
  onChange,
  onRemove,
}: {
  scope: ScopeDefinition
  number: number
  error: string | undefined
  onChange: (values: Partial<ScopeDefinition>) => void
  onRemove: () => void
}) {
  return (
    <fieldset className="flex flex-wrap items-start gap-3 border-b pb-4">
      <legend className="sr-only">Scope {number}</legend>
      <Field label="Name" error={error} className="w-52">
        {(ids) => (
          <Input
            {...ids}
            value={scope.name}
            className="font-mono"
            placeholder="team"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Type" className="w-28">
        {(ids) => (
          <Select
            {...ids}
            value={scope.type}
            onChange={(event) => onChange({ type: event.target.value as ScopeDefinition['type'] })}
          >
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Description" className="min-w-48 flex-1">
        {(ids) => (
          <Input
            {...ids}
            value={scope.description ?? ''}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="flex items-center gap-2 pt-6">
        <Checkbox checked={scope.required} onChange={(event) => onChange({ required: event.target.checked })}>
          Required
        </Checkbox>
        <IconButton label={`Remove scope ${number}`} onClick={onRemove}>
          <X size={14} />
        </IconButton>
      </div>
    </fieldset>
  )
}
