import type { Model } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { modelsQuery } from '../../shared/queries/models.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatCompact, formatMoney } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Chip, StatusBadge } from '../../ui/status-badge.tsx'
import { EmbeddingState } from './embedding-state.tsx'
import { ModelDefaultsForm } from './model-defaults.tsx'
import { providerTitle } from './provider-names.ts'
import { modelDefaultsQuery } from './queries.ts'

const columns: readonly PlainColumn<Model>[] = [
  {
    id: 'name',
    title: 'Model',
    wrap: true,
    cell: ({ name, id, kind, retired, is_default: isDefault }) => (
      <span className="inline-flex items-center gap-2">
        <code title={id}>{name}</code>
        {isDefault && <Chip>default</Chip>}
        {kind !== 'chat' && <Chip>{kind}</Chip>}
        {retired && <Chip>retired</Chip>}
      </span>
    ),
  },
  {
    id: 'provider',
    title: 'Provider',
    cell: ({ provider }) => (provider ? providerTitle(provider) : 'Built in'),
  },
  {
    id: 'runs',
    title: 'Status',
    cell: ({ kind, configured, runs, name }) =>
      // One embedding model is in use for all requests, even if others have a provider.
      (kind === 'embedding' ? runs === name : configured) ? (
        <StatusBadge kind="success">Runs</StatusBadge>
      ) : (
        <span className="text-fg-2">{runs && runs !== name ? `${runs} runs instead` : 'Nothing runs'}</span>
      ),
  },
  {
    id: 'window',
    title: 'Window',
    align: 'right',
    cell: ({ context_window }) => formatCompact(context_window),
  },
  { id: 'in', title: 'Input', align: 'right', cell: ({ price }) => formatMoney(price?.input) },
  { id: 'out', title: 'Output', align: 'right', cell: ({ price }) => formatMoney(price?.output) },
  {
    id: 'multiplier',
    title: 'Credits',
    align: 'right',
    cell: ({ credits_multiplier }) => credits_multiplier ?? '–',
  },
]

/** The chat and embedding models, each with the model that runs in its place if it does not run itself. */
export function ModelsSection() {
  const { data, error, refetch } = useQuery(modelsQuery)
  const { data: defaults } = useQuery(modelDefaultsQuery)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Section
      title="Models"
      actions={
        <Button disabled={!defaults} onClick={() => setChoosing(true)}>
          Choose models…
        </Button>
      }
      note={
        <>
          Requests and chats can name the chat models. Prices are USD for 1,000,000 tokens, credits are for
          1,000 tokens. The default and the embedding model chosen here override{' '}
          <code>CAIRN_DEFAULT_MODEL</code> and <code>CAIRN_EMBEDDING_MODEL</code> of the environment.
        </>
      }
    >
      <QueryState query={{ data, error, refetch }} name="the models" rows={6}>
        {(data) => (
          <>
            <Facts
              facts={[
                { name: 'Default model', value: <code>{data.default_model}</code> },
                {
                  name: 'Embedding model',
                  value: data.embedding_model ? (
                    <code>{data.embedding_model}</code>
                  ) : (
                    'None; search uses words only'
                  ),
                },
              ]}
            />
            <EmbeddingState />
            <PlainTable
              label="Models"
              columns={columns}
              rows={data.models}
              rowKey={({ name, kind, provider }) => `${kind} ${provider} ${name}`}
            />
          </>
        )}
      </QueryState>
      {isChoosing && defaults && <ModelDefaultsForm stored={defaults} onClose={() => setChoosing(false)} />}
    </Section>
  )
}
