import type { Run } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useReadMore } from '../../shared/use-read-more.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { formatCount, formatDuration, formatMoney } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { PassRates } from './pass-rates.tsx'
import { runsQuery } from './queries.ts'
import { passRateOf, RunBadge, runTitle } from './run-badges.tsx'
import { TargetName } from './target-name.tsx'

const columnsOf = (projectId: string): readonly Column<Run>[] => [
  {
    id: 'name',
    title: 'Run',
    width: 200,
    grow: true,
    cell: (run) => <span title={run.notes ?? run.run_id}>{runTitle(run)}</span>,
  },
  { id: 'state', title: 'State', width: 140, cell: (run) => <RunBadge run={run} /> },
  { id: 'rate', title: 'Passed', width: 80, align: 'right', cell: passRateOf },
  { id: 'cases', title: 'Cases', width: 70, align: 'right', cell: ({ total }) => formatCount(total) },
  {
    id: 'latency',
    title: 'Avg latency',
    width: 100,
    align: 'right',
    cell: ({ avg_latency_ms }) => formatDuration(avg_latency_ms),
  },
  {
    id: 'cost',
    title: 'Cost',
    width: 90,
    align: 'right',
    cell: ({ total_cost }) => formatMoney(total_cost),
  },
  {
    id: 'judging',
    title: 'Scoring cost',
    width: 90,
    align: 'right',
    hidden: true,
    cell: ({ judge_cost }) => formatMoney(judge_cost),
  },
  { id: 'version', title: 'Version', width: 110, cell: ({ version }) => version },
  {
    id: 'target',
    title: 'Target',
    width: 190,
    cell: ({ target }) => <TargetName projectId={projectId} target={target} />,
  },
  { id: 'started', title: 'Started', width: 110, cell: ({ started_at }) => <Ago at={started_at} /> },
]

/** The runs of a suite, with their pass rates. */
export function RunsTab({
  projectId,
  suiteId,
  onStart,
}: {
  projectId: string
  suiteId: string
  onStart: () => void
}) {
  const list = useInfiniteQuery(runsQuery(projectId, suiteId))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const navigate = useNavigate()
  const columns = useMemo(() => columnsOf(projectId), [projectId])
  const runs = data?.pages.flatMap((page) => page.runs)
  return (
    <QueryState
      query={{ data: runs, error, refetch }}
      name="the runs"
      fill
      empty={
        <EmptyState title="No runs yet">
          <p>A run sends every case to the target and stores the results. The next run shows the changes.</p>
          <Button onClick={onStart}>Start the first run</Button>
        </EmptyState>
      }
    >
      {(runs) => {
        const [newest, before] = runs
        return (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <div className="flex flex-wrap items-end justify-between gap-3 border-b px-4 py-2">
              <PassRates projectId={projectId} runs={runs} />
              {newest && before && (
                <Link
                  to="/projects/$projectId/tests/compare"
                  params={{ projectId }}
                  search={{ suite: suiteId, a: before.run_id, b: newest.run_id }}
                  className={buttonClass()}
                >
                  Compare two runs
                </Link>
              )}
            </div>
            <DataTable
              name="runs"
              label="Runs"
              columns={columns}
              rows={runs}
              rowKey={({ run_id }) => run_id}
              onOpen={({ run_id: runId }) =>
                navigate({ to: '/projects/$projectId/tests/runs/$runId', params: { projectId, runId } })
              }
              onEnd={readMore}
            />
          </div>
        )
      }}
    </QueryState>
  )
}
