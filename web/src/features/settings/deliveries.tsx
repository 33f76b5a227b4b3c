import type { Delivery } from '@cairn/sdk'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { deliveriesQuery } from './queries.ts'

const marks = {
  delivered: <StatusBadge kind="success">Delivered</StatusBadge>,
  pending: <StatusBadge kind="running">Waiting</StatusBadge>,
  failed: <StatusBadge kind="error">Failed</StatusBadge>,
}

const columnsOf = (again: (delivery: Delivery) => void): readonly PlainColumn<Delivery>[] => [
  { id: 'status', title: 'State', cell: ({ status }) => marks[status] },
  { id: 'type', title: 'Event', cell: ({ type, event_id }) => <code title={event_id}>{type}</code> },
  { id: 'attempt', title: 'Tries', align: 'right', cell: ({ attempt }) => attempt },
  {
    id: 'answer',
    title: 'Response',
    wrap: true,
    cell: ({ response_status: status, error }) => (
      <span className="text-fg-2">{[status, error].filter((part) => part !== null).join(': ') || '–'}</span>
    ),
  },
  { id: 'took', title: 'Took', align: 'right', cell: ({ duration_ms }) => formatDuration(duration_ms) },
  { id: 'last', title: 'Last try', cell: ({ last_try_at: at }) => (at ? <Ago at={at} /> : '–') },
  {
    id: 'again',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (delivery) => (
      <RowButton of={delivery.type} onClick={() => again(delivery)}>
        Send again
      </RowButton>
    ),
  },
]

/** The deliveries of a webhook with the responses of its receiver. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const query = deliveriesQuery(webhookId)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(query)
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: ({ delivery_id }: Delivery) => client.console.webhooks.retryDelivery(webhookId, delivery_id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  })
  const rows = data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <Section title="Deliveries">
      {retry.error && <ErrorNotice error={retry.error} title="The event was not sent again" />}
      <QueryState
        query={{ data: rows, error, refetch }}
        name="the deliveries"
        rows={3}
        empty={<EmptyNote>No deliveries yet. “Send a test” sends a webhook_test now.</EmptyNote>}
      >
        {(rows) => (
          <PlainTable
            label="Deliveries"
            columns={columnsOf((delivery) => retry.mutate(delivery))}
            rows={rows}
            rowKey={({ delivery_id }) => delivery_id}
          />
        )}
      </QueryState>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage && 'Loading…'} onClick={() => fetchNextPage()}>
            Older deliveries
          </Button>
        </div>
      )}
    </Section>
  )
}
