import type { Provider, SetProvider } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { isNamedServer, providerTitle } from './provider-names.ts'

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** `name` or `name = id` on each line. */
function modelsOf(text: string) {
  return linesOf(text).map((line) => {
    const [name = '', id] = line.split('=').map((part) => part.trim())
    return id ? { name, id } : { name }
  })
}

/** `Name: value` on each line. */
function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

interface OptionField {
  name: string
  label: string
  hint: string
  isRequired?: boolean
}

/** The fields that only some providers have. */
const optionFields: Readonly<Record<string, readonly OptionField[]>> = {
  bedrock: [
    { name: 'region', label: 'Region', hint: 'AWS region, such as eu-central-1.', isRequired: true },
    {
      name: 'access_key_id',
      label: 'Access key id',
      hint: 'If set, the key above is its secret access key. If empty, the key is an API key of Bedrock.',
    },
  ],
  vertex: [
    { name: 'location', label: 'Location', hint: 'Empty for global.' },
    { name: 'project', label: 'Project', hint: 'Empty for the project of the service account.' },
  ],
}

const keyHints: Readonly<Record<string, string>> = {
  vertex: 'The JSON key of a service account, or an API key of the express mode. ',
}

/** Servers with an address of their own. */
function needsAddress(provider: string): boolean {
  return provider === 'compatible' || provider === 'azure' || isNamedServer(provider)
}

function addressHint(provider: string): string {
  if (provider === 'azure') return 'Endpoint of the resource.'
  return needsAddress(provider) ? 'URL of the server, including /v1.' : 'Empty for the default address.'
}

/** The dialog for key, address and models of a provider; without `stored`, for a new server. */
export function ProviderForm({
  stored,
  onClose,
  onSaved,
}: {
  stored: Provider | undefined
  onClose: () => void
  onSaved: () => unknown
}) {
  const [name, setName] = useState('')
  const [key, setKey] = useState('')
  const [url, setUrl] = useState(stored?.base_url ?? '')
  const [headers, setHeaders] = useState('')
  const [options, setOptions] = useState(stored?.options ?? {})
  const [models, setModels] = useState(() =>
    (stored?.models ?? []).map(({ name, id }) => (id === name ? name : `${name} = ${id}`)).join('\n'),
  )
  const provider = stored?.provider ?? name.trim()
  const save = useMutation({
    mutationFn: () => {
      const given = Object.entries(options).filter(([, value]) => value.trim() !== '')
      const settings: SetProvider = {
        ...(key && { api_key: key.trim() }),
        ...(url.trim() && { base_url: url.trim() }),
        ...(headers.trim() && { headers: headers.trim() === '-' ? {} : headersOf(headers) }),
        ...(given.length > 0 && { options: Object.fromEntries(given) }),
        models: modelsOf(models),
      }
      return client.console.providers.set(provider, settings)
    },
    onSuccess: () => {
      void onSaved()
      onClose()
    },
  })
  const last4 = stored?.source === 'console' ? stored.api_key_last4 : null
  const headerNames = stored?.source === 'console' ? stored.headers.join(', ') : ''
  return (
    <FormDialog
      title={stored ? providerTitle(stored.provider) : 'Add server'}
      onClose={onClose}
      sending={save}
      failed="The provider was not saved"
      action="Save"
      busy="Saving…"
    >
      {!stored && (
        <Field
          label="Name"
          hint="Small letters, digits and -. Requests name a model of this server name/model."
        >
          {(ids) => (
            <Input
              {...ids}
              required
              pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
              maxLength={40}
              value={name}
              placeholder="groq-internal"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label="Key"
        hint={
          (keyHints[provider] ?? '') +
          (last4
            ? `If empty, the key that ends in ${last4} is kept.`
            : 'The key is stored encrypted; only its last four characters are shown.')
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
      {(optionFields[provider] ?? []).map((option) => (
        <Field key={option.name} label={option.label} hint={option.hint}>
          {(ids) => (
            <Input
              {...ids}
              required={option.isRequired}
              value={options[option.name] ?? ''}
              onChange={(event) => setOptions({ ...options, [option.name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label="Address" hint={addressHint(provider)}>
        {(ids) => (
          <Input
            {...ids}
            required={needsAddress(provider)}
            value={url}
            placeholder={needsAddress(provider) ? 'http://127.0.0.1:11434/v1' : undefined}
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
      <Field
        label="Headers"
        hint={
          headerNames
            ? `If empty, ${headerNames} is kept; a single - removes all.`
            : 'Additional headers of each call, one Name: value per line. They are stored encrypted.'
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="font-mono text-sm"
            value={headers}
            onChange={(event) => setHeaders(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
