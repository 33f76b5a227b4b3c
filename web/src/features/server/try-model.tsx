import type { ProviderName } from '@cairn/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { modelsQuery } from '../../shared/queries/models.ts'
import { Facts } from '../../ui/facts.tsx'
import { Field, Select, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatCount, formatDuration, formatMoney } from '../../ui/format.ts'
import { providerTitle } from './provider-names.ts'

/** The dialog that tests key and address of a provider with one short model call. */
export function TryModel({ provider, onClose }: { provider: ProviderName; onClose: () => void }) {
  const { data } = useQuery(modelsQuery)
  const names = data?.models.filter((one) => one.provider === provider && one.kind === 'chat') ?? []
  const [chosen, setChosen] = useState<string>()
  const [prompt, setPrompt] = useState('Say hello in one short sentence.')
  const model = chosen ?? names[0]?.name ?? ''
  const call = useMutation({
    mutationFn: () => client.console.models.try({ model, prompt, max_tokens: 100 }),
  })
  return (
    <FormDialog
      title={`Try ${providerTitle(provider)}`}
      onClose={onClose}
      sending={call}
      failed="The model did not respond"
      action="Ask"
      busy="Asking…"
      disabled={!model}
      cancel="Close"
    >
      <Field label="Model">
        {(ids) => (
          <Select {...ids} value={model} onChange={(event) => setChosen(event.target.value)}>
            {names.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Prompt">
        {(ids) => (
          <Textarea {...ids} required value={prompt} onChange={(event) => setPrompt(event.target.value)} />
        )}
      </Field>
      <div role="status" className="flex flex-col gap-3">
        {call.data && (
          <>
            <p className="rounded-md border bg-code p-3 break-words whitespace-pre-wrap">
              {call.data.output}
            </p>
            <Facts
              facts={[
                { name: 'Model', value: call.data.model },
                { name: 'Latency', value: formatDuration(call.data.latency_ms) },
                { name: 'Tokens', value: formatCount(call.data.usage.total_tokens) },
                { name: 'Cost', value: formatMoney(call.data.cost) },
              ]}
            />
          </>
        )}
      </div>
    </FormDialog>
  )
}
