import type { Provider } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ProviderForm } from './provider-form.tsx'
import { providerTitle } from './provider-names.ts'
import { providersQuery } from './queries.ts'
import { TryModel } from './try-model.tsx'

interface Actions {
  set: (provider: Provider) => void
  check: (provider: Provider) => void
  remove: (provider: Provider) => void
}

function State({ provider: { configured, problem } }: { provider: Provider }) {
  if (problem) return <StatusBadge kind="error">{problem}</StatusBadge>
  return configured ? (
    <StatusBadge kind="success">Configured</StatusBadge>
  ) : (
    <StatusBadge kind="info">Not configured</StatusBadge>
  )
}

const sources = { environment: 'Environment', console: 'Set here' }

const columnsOf = ({ set, check, remove }: Actions): readonly PlainColumn<Provider>[] => [
  {
    id: 'name',
    title: 'Provider',
    cell: ({ provider }) => <span className="font-medium">{providerTitle(provider)}</span>,
  },
  { id: 'state', title: 'State', cell: (provider) => <State provider={provider} /> },
  { id: 'source', title: 'By', cell: ({ source }) => (source ? sources[source] : '–') },
  {
    id: 'key',
    title: 'Key',
    cell: ({ api_key_last4: last4 }) => (last4 ? <code className="text-fg-2">{`…${last4}`}</code> : '–'),
  },
  {
    id: 'url',
    title: 'Address',
    wrap: true,
    cell: ({ base_url: url }) => (
      <span className="break-all">{url ?? <span className="text-fg-3">Default</span>}</span>
    ),
  },
  {
    id: 'models',
    title: 'Further models',
    align: 'right',
    cell: ({ models }) => (
      <span title={models.map(({ name }) => name).join(', ')}>{formatCount(models.length)}</span>
    ),
  },
  {
    id: 'actions',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (provider) => {
      const title = providerTitle(provider.provider)
      return (
        <span className="inline-flex">
          {provider.configured && (
            <RowButton of={title} onClick={() => check(provider)}>
              Try…
            </RowButton>
          )}
          <RowButton of={title} onClick={() => set(provider)}>
            {provider.source === 'console' ? 'Change…' : 'Set up…'}
          </RowButton>
          {provider.source === 'console' && (
            <RowButton of={title} onClick={() => remove(provider)}>
              Remove…
            </RowButton>
          )}
        </span>
      )
    },
  },
]

/** The model providers and their state. */
export function Providers() {
  const { data: providers, error, refetch } = useQuery(providersQuery)
  const [setting, setSetting] = useState<Provider | 'new'>()
  const [tried, setTried] = useState<Provider>()
  const [removed, setRemoved] = useState<Provider>()
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: ['server'] })
  const title = removed && providerTitle(removed.provider)
  return (
    <Section
      title="Providers"
      actions={<Button onClick={() => setSetting('new')}>Add server…</Button>}
      note="Without a provider, answers quote the documents and scorers work locally. Settings here override the environment. Keys are stored encrypted and never shown again."
    >
      <QueryState query={{ data: providers, error, refetch }} name="the providers" rows={4}>
        {(providers) => (
          <PlainTable
            label="Providers"
            columns={columnsOf({ set: setSetting, check: setTried, remove: setRemoved })}
            rows={providers}
            rowKey={({ provider }) => provider}
          />
        )}
      </QueryState>
      {setting && (
        <ProviderForm
          stored={setting === 'new' ? undefined : setting}
          onClose={() => setSetting(undefined)}
          onSaved={again}
        />
      )}
      {tried && <TryModel provider={tried.provider} onClose={() => setTried(undefined)} />}
      <ConfirmDialog
        title={`Remove ${title}?`}
        consequences={`This deletes its key, address and further models from the server. If the environment configures ${title}, that applies again; otherwise its models no longer run.`}
        action="Remove provider"
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        onConfirm={async () => {
          if (removed) await client.console.providers.delete(removed.provider)
          await again()
        }}
      />
    </Section>
  )
}
