import type { ProjectPrice } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatDay, formatMoney } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { BuiltInPrices } from './built-in-prices.tsx'
import { projectPricesQuery } from './queries.ts'
import { Reprice } from './reprice.tsx'
import { SetPrice } from './set-price.tsx'

const columnsOf = (remove: (price: ProjectPrice) => void): readonly PlainColumn<ProjectPrice>[] => [
  { id: 'model', title: 'Model', wrap: true, cell: ({ model }) => <code>{model}</code> },
  { id: 'from', title: 'From', cell: ({ start_date }) => formatDay(start_date) },
  { id: 'input', title: 'Input', align: 'right', cell: ({ input }) => formatMoney(input) },
  { id: 'output', title: 'Output', align: 'right', cell: ({ output }) => formatMoney(output) },
  { id: 'read', title: 'Cache read', align: 'right', cell: ({ cache_read }) => formatMoney(cache_read) },
  { id: 'write', title: 'Cache write', align: 'right', cell: ({ cache_write }) => formatMoney(cache_write) },
  {
    id: 'delete',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (price) => (
      <RowButton of={price.model} onClick={() => remove(price)}>
        Delete…
      </RowButton>
    ),
  },
]

/** The prices of the project, the built-in prices, and the recomputation of costs. */
export default function Prices({ projectId }: { projectId: string }) {
  const { data: prices, error, refetch } = useQuery(projectPricesQuery(projectId))
  const [setting, setSetting] = useState<{ model: string }>()
  const [removed, setRemoved] = useState<ProjectPrice>()
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: projectPricesQuery(projectId).queryKey })
  return (
    <>
      <Section
        title="Prices of this project"
        note="USD for 1,000,000 tokens. They override the built-in prices for traces from their start date on. To change computed costs, recompute them below."
        actions={
          <Button variant="primary" onClick={() => setSetting({ model: '' })}>
            Set a price
          </Button>
        }
      >
        <QueryState
          query={{ data: prices, error, refetch }}
          name="the prices"
          rows={3}
          empty={
            <EmptyNote>
              No prices yet, so the built-in prices apply. Set the prices that you have agreed with a vendor.
            </EmptyNote>
          }
        >
          {(prices) => (
            <PlainTable
              label="Prices of this project"
              columns={columnsOf(setRemoved)}
              rows={prices}
              rowKey={({ price_id }) => price_id}
            />
          )}
        </QueryState>
      </Section>
      <Reprice projectId={projectId} />
      <BuiltInPrices onSet={(model) => setSetting({ model })} />
      {setting && (
        <SetPrice
          projectId={projectId}
          model={setting.model}
          onClose={() => setSetting(undefined)}
          onSet={again}
        />
      )}
      <ConfirmDialog
        title="Delete the price?"
        consequences={`${removed?.model} will use an earlier price of this project or the built-in price. Computed costs stay until you recompute them.`}
        action="Delete price"
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        onConfirm={async () => {
          if (removed) await client.console.prices.delete(projectId, removed.price_id)
          await again()
        }}
      />
    </>
  )
}
