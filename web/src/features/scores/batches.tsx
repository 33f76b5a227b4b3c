import type { Scoring } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatCount, formatMoney, formatScore, none, plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { BatchPanel } from './batch-panel.tsx'
import { BatchState } from './batch-state.tsx'
import { filterText } from './filter-text.ts'
import { batchesQuery } from './queries.ts'

const overOf = ({ done, failed, skipped }: Scoring) => done + failed + skipped

const keyOf = ({ scoring_id }: Scoring) => scoring_id

/** The batches in which scorers score stored traces, with their progress. */
export function Batches({
  projectId,
  opened,
  onOpen,
  onStart,
}: {
  projectId: string
  /** Id of the open batch. */
  opened: string | undefined
  onOpen: (batchId: string | undefined) => void
  onStart: () => void
}) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(batchesQuery(projectId))
  const [cancelling, setCancelling] = useState<Scoring>()
  return (
    <QueryState
      query={{ data: data?.scorings, error, refetch }}
      name="the batches"
      fill
      empty={
        <EmptyState title="No batches yet">
          <p>
            A batch is one scorer for many stored traces, chosen by a filter. It runs in the background and
            gives each trace one score.
          </p>
          <Button variant="primary" onClick={onStart}>
            Score traces
          </Button>
        </EmptyState>
      }
    >
      {(batches) => {
        const open = batches.find(({ scoring_id }) => scoring_id === opened)
        return (
          <div className="flex min-h-0 min-w-0 flex-1">
            <DataTable
              name="batches"
              label="Batches"
              columns={columnsWith(setCancelling)}
              rows={batches}
              rowKey={keyOf}
              selected={opened}
              onOpen={({ scoring_id }) => onOpen(scoring_id)}
            />
            {open && <BatchPanel projectId={projectId} batch={open} onClose={() => onOpen(undefined)} />}
            {cancelling && (
              <ConfirmDialog
                title="Cancel this batch?"
                consequences={`${cancelling.scorer} stops scoring. ${plural(cancelling.done, 'score')} from this batch will be kept.`}
                action="Cancel the batch"
                open
                onClose={() => setCancelling(undefined)}
                onConfirm={async () => {
                  await client.judging.batches.cancel(projectId, cancelling.scoring_id)
                  await queryClient.invalidateQueries(batchesQuery(projectId))
                }}
              />
            )}
          </div>
        )
      }}
    </QueryState>
  )
}

function columnsWith(onCancel: (batch: Scoring) => void): readonly Column<Scoring>[] {
  return [
    { id: 'state', title: 'State', width: 124, cell: ({ state }) => <BatchState state={state} /> },
    { id: 'scorer', title: 'Scorer', width: 160, cell: ({ scorer }) => scorer },
    {
      id: 'filter',
      title: 'Traces',
      width: 220,
      grow: true,
      cell: ({ filter }) => <span title={filterText(filter)}>{filterText(filter)}</span>,
    },
    {
      id: 'progress',
      title: 'Progress',
      width: 240,
      cell: (batch) => (
        <span className="flex items-center gap-2 tabular-nums">
          <Progress label={`Progress of ${batch.scorer}`} done={overOf(batch)} total={batch.total} />
          <span className="shrink-0">
            {formatCount(overOf(batch))} of {batch.total === null ? '…' : formatCount(batch.total)}
          </span>
        </span>
      ),
    },
    {
      id: 'mean',
      title: 'Mean score',
      width: 96,
      align: 'right',
      cell: ({ mean_score }) => formatScore(mean_score),
    },
    {
      id: 'failed',
      title: 'Failed',
      width: 80,
      align: 'right',
      cell: ({ failed }) => (failed ? formatCount(failed) : none),
    },
    { id: 'cost', title: 'Cost', width: 80, align: 'right', cell: ({ cost }) => formatMoney(cost) },
    { id: 'time', title: 'Started', width: 96, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      id: 'cancel',
      title: 'Cancel',
      width: 100,
      cell: (batch) =>
        batch.state === 'running' && (
          <Button
            className="h-6"
            onClick={(event) => {
              event.stopPropagation()
              onCancel(batch)
            }}
          >
            Cancel
          </Button>
        ),
    },
  ]
}
