import type { SetPrice as SetPriceRequest } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

const parts = {
  cache_read: 'Cache read',
  cache_write: 'Cache write',
  reasoning: 'Reasoning',
  audio_input: 'Audio input',
  audio_output: 'Audio output',
} as const
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]

/** The dialog that sets the price of a model for this project. */
export function SetPrice({
  projectId,
  model: named,
  onClose,
  onSet,
}: {
  projectId: string
  model: string
  onClose: () => void
  onSet: () => unknown
}) {
  const [model, setModel] = useState(named)
  const [from, setFrom] = useState('')
  const [amounts, setAmounts] = useState<Partial<Record<Part | 'input' | 'output', string>>>({})
  const save = useMutation({
    mutationFn: () => {
      const price: SetPriceRequest = {
        model: model.trim(),
        ...(from && { start_date: from }),
        input: Number(amounts.input),
        output: Number(amounts.output),
      }
      for (const part of partNames) if (amounts[part]) price[part] = Number(amounts[part])
      return client.console.prices.set(projectId, price)
    },
    onSuccess: () => {
      void onSet()
      onClose()
    },
  })
  const amountField = (name: Part | 'input' | 'output', label: string, required = false) => (
    <Field key={name} label={label}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min={0}
          step="any"
          required={required}
          placeholder={required ? undefined : 'same as total'}
          value={amounts[name] ?? ''}
          onChange={(event) => setAmounts({ ...amounts, [name]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <FormDialog
      title="Set a price"
      description="USD for 1,000,000 tokens."
      onClose={onClose}
      sending={save}
      failed="The price was not set"
      action="Set price"
      busy="Saving…"
    >
      <Field label="Model" hint="A price of gpt-4o also applies to its dated names.">
        {(ids) => (
          <Input {...ids} required value={model} onChange={(event) => setModel(event.target.value)} />
        )}
      </Field>
      <Field label="From" hint="Applies to traces from this day on (UTC); default now.">
        {(ids) => (
          <Input {...ids} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        {amountField('input', 'Input', true)}
        {amountField('output', 'Output', true)}
        {partNames.map((part) => amountField(part, parts[part]))}
      </div>
    </FormDialog>
  )
}
