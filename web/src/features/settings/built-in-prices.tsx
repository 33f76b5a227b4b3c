import type { BuiltInPrice } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Input } from '../../ui/field.tsx'
import { formatDay, formatMoney, plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { builtInPricesQuery } from './queries.ts'

/** Number of shown prices; the search finds the others. */
const shown = 30

const columnsOf = (set: (model: string) => void): readonly PlainColumn<BuiltInPrice>[] => [
  {
    id: 'model',
    title: 'Model',
    wrap: true,
    cell: ({ model, aliases }) => <code title={aliases.join(', ') || model}>{model}</code>,
  },
  { id: 'provider', title: 'Provider', cell: ({ provider }) => provider },
  { id: 'from', title: 'From', cell: ({ from }) => formatDay(`${from}T12:00:00Z`) },
  { id: 'input', title: 'Input', align: 'right', cell: ({ input }) => formatMoney(input) },
  { id: 'output', title: 'Output', align: 'right', cell: ({ output }) => formatMoney(output) },
  { id: 'cache', title: 'Cache read', align: 'right', cell: ({ cache_read }) => formatMoney(cache_read) },
  {
    id: 'source',
    title: 'Source',
    cell: ({ source, checked, confirmed }) => (
      <a
        className="link"
        href={source}
        target="_blank"
        rel="noreferrer"
        title={`Looked up on ${checked}${confirmed ? '' : '; some of its numbers are not confirmed'}`}
      >
        {confirmed ? 'List price' : 'Not confirmed'}
      </a>
    ),
  },
  {
    id: 'set',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: ({ model }) => (
      <RowButton of={model} onClick={() => set(model)}>
        Set price
      </RowButton>
    ),
  },
]

/** The list prices of vendors that come with the server. */
export function BuiltInPrices({ onSet }: { onSet: (model: string) => void }) {
  const { q = '' } = useSearch({ from: '/signed-in/projects/$projectId/settings/$section' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(builtInPricesQuery)
  const wanted = q.toLowerCase()
  const found = data?.filter(({ model, provider, aliases }) =>
    [model, provider, ...aliases].some((name) => name.includes(wanted)),
  )
  return (
    <Section
      title="Built-in prices"
      note="Dated list prices of the vendors, USD for 1,000,000 tokens. They come with the server."
      actions={
        <Input
          type="search"
          data-search
          aria-label="Search the built-in prices"
          placeholder="Model or provider"
          className="max-w-52"
          value={q}
          onChange={(event) =>
            navigate({ to: '.', search: { q: event.target.value || undefined }, replace: true })
          }
        />
      }
    >
      <QueryState
        query={{ data: found, error, refetch }}
        name="the prices"
        rows={6}
        empty={<EmptyNote>{`No model matches “${q}”. You can set its price above.`}</EmptyNote>}
      >
        {(found) => (
          <PlainTable
            label="Built-in prices"
            columns={columnsOf(onSet)}
            rows={found.slice(0, shown)}
            rowKey={({ provider, model, from }) => `${provider} ${model} ${from}`}
          />
        )}
      </QueryState>
      {found && found.length > shown && (
        <p className="text-fg-3">{`Showing ${shown} of ${plural(found.length, 'price')}. Search to find the others.`}</p>
      )}
    </Section>
  )
}
