import type { Provider, SetProvider } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { providerTitles } from './provider-names.ts'

/** `name` or `name = id` on each line. */
function modelsOf(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', id] = line.split('=').map((part) => part.trim())
      return id ? { name, id } : { name }
    })
}

/** The dialog for key, address and models of a provider. */
export function ProviderForm({
  stored,
  onClose,
  onSaved,
}: {
  stored: Provider
  onClose: () => void
  onSaved: () => unknown
}) {
  const [key, setKey] = useState('')
  const [url, setUrl] = useState(stored.base_url ?? '')
  const [models, setModels] = useState(() =>
    stored.models.map(({ name, id }) => (id === name ? name : `${name} = ${id}`)).join('\n'),
  )
  const save = useMutation({
    mutationFn: () => {
      const settings: SetProvider = {
        ...(key && { api_key: key.trim() }),
        ...(url.trim() && { base_url: url.trim() }),
        models: modelsOf(models),
      }
      return client.console.providers.set(stored.provider, settings)
    },
    onSuccess: () => {
      void onSaved()
      onClose()
    },
  })
  const last4 = stored.source === 'console' ? stored.api_key_last4 : null
  return (
    <FormDialog
      title={providerTitles[stored.provider]}
      onClose={onClose}
      sending={save}
      failed="The provider was not saved"
      action="Save"
      busy="Saving…"
    >
      <Field
        label="Key"
        hint={
          last4
            ? `If empty, the key that ends in ${last4} is kept.`
            : 'The key is stored encrypted; only its last four characters are shown.'
        }
      >
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Address"
        hint={
          stored.provider === 'compatible'
            ? 'URL of the server, including /v1.'
            : 'Empty for the default address.'
        }
      >
        {(ids) => (
          <Input
            {...ids}
            required={stored.provider === 'compatible'}
            value={url}
            placeholder={stored.provider === 'compatible' ? 'http://127.0.0.1:11434/v1' : undefined}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Further models"
        hint="One name per line. Use name = id if the provider has another id for the model."
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="font-mono text-sm"
            value={models}
            placeholder="llama3.2"
            onChange={(event) => setModels(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
