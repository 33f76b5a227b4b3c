import type { CaseResult, ResultOutcome, Run } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import clsx from 'clsx'
import { useEffect } from 'react'
import { useReadMore } from '../../shared/use-read-more.ts'
import type { Column } from '../../ui/data-table.tsx'
import { formatCount, formatDuration, formatMoney, formatScore } from '../../ui/format.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { resultsQuery } from './queries.ts'
import { ResultDetail } from './result-detail.tsx'
import { ResultBadge } from './run-badges.tsx'

/** The lowest score of a case, from its scorer and its assertions. */
function scoreOf({ assertions, judgement }: CaseResult): number | undefined {
  const scores = [judgement?.score, ...assertions.map(({ score }) => score)]
  const given = scores.filter((score) => score != null)
  return given.length > 0 ? Math.min(...given) : undefined
}

const columns: readonly Column<CaseResult>[] = [
  { id: 'state', title: 'Result', width: 95, cell: (result) => <ResultBadge result={result} /> },
  {
    id: 'query',
    title: 'Input',
    width: 260,
    grow: true,
    cell: ({ query }) => <span title={query}>{query}</span>,
  },
  {
    id: 'output',
    title: 'Output',
    width: 240,
    cell: ({ actual_output: output, error }) => (
      <span title={error ?? output} className="text-fg-2">
        {error ?? output}
      </span>
    ),
  },
  {
    id: 'expected',
    title: 'Expected',
    width: 240,
    hidden: true,
    cell: ({ expected_answer }) => expected_answer,
  },
  {
    id: 'score',
    title: 'Score',
    width: 70,
    align: 'right',
    cell: (result) => formatScore(scoreOf(result)),
  },
  {
    id: 'latency',
    title: 'Latency',
    width: 85,
    align: 'right',
    cell: ({ latency_ms }) => formatDuration(latency_ms),
  },
  { id: 'cost', title: 'Cost', width: 85, align: 'right', cell: ({ cost }) => formatMoney(cost) },
  {
    id: 'category',
    title: 'Category',
    width: 120,
    cell: ({ category }) => category && <Chip title={category}>{category}</Chip>,
  },
]

/** The results of a run by outcome, with a panel for the open result. */
export function Results({ projectId, run }: { projectId: string; run: Run }) {
  const { outcome, case: open } = useSearch({ from: '/signed-in/projects/$projectId/tests/runs/$runId' })
  const navigate = useNavigate()
  const running = run.status === 'running'
  const list = useInfiniteQuery(resultsQuery(projectId, run.run_id, outcome, running))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const results = data?.pages.flatMap((page) => page.results)
  const shown = results?.find(({ case_id }) => case_id === open)
  // The open result may be on a later page.
  const isBehind = open !== undefined && !shown
  useEffect(() => {
    if (isBehind) readMore()
  }, [isBehind, readMore])
  const show = (caseId: string | undefined) =>
    navigate({
      to: '/projects/$projectId/tests/runs/$runId',
      params: { projectId, runId: run.run_id },
      search: { outcome, case: caseId },
      replace: open !== undefined,
    })
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Outcomes projectId={projectId} run={run} current={outcome} />
        <QueryTable
          query={{ data: results, error, refetch }}
          name="results"
          label="Results"
          columns={columns}
          rowKey={({ case_id }) => case_id}
          selected={open}
          onOpen={({ case_id }) => show(case_id)}
          onEnd={readMore}
          empty={<NoResults run={run} outcome={outcome} />}
        />
      </div>
      {open && shown && (
        <SidePanel label="Result" onClose={() => show(undefined)}>
          <ResultDetail projectId={projectId} result={shown} suiteId={run.suite_id} />
        </SidePanel>
      )}
    </div>
  )
}

function NoResults({ run, outcome }: { run: Run; outcome: ResultOutcome | undefined }) {
  if (outcome) return <EmptyState title={`No case ${outcome === 'error' ? 'ended in an error' : outcome}`} />
  if (run.status === 'running') return <SkeletonRows name="the first results" />
  return (
    <EmptyState title="No results">
      <p>
        {run.total === 0 ? 'The suite had no cases when the run started.' : 'No case was sent to the target.'}
      </p>
    </EmptyState>
  )
}

/** Links that filter the results by outcome, with counts. */
function Outcomes({
  projectId,
  run,
  current,
}: {
  projectId: string
  run: Run
  current: ResultOutcome | undefined
}) {
  const kinds: readonly [ResultOutcome | undefined, string, number][] = [
    [undefined, 'All', run.passed + run.failed],
    ['passed', 'Passed', run.passed],
    ['failed', 'Failed', run.failed - run.errors],
    ['error', 'Error', run.errors],
  ]
  return (
    <nav aria-label="Results by outcome" className="flex flex-wrap gap-1 border-b px-4 py-1.5">
      {kinds.map(([outcome, title, count]) => (
        <Link
          key={title}
          to="/projects/$projectId/tests/runs/$runId"
          params={{ projectId, runId: run.run_id }}
          search={{ outcome }}
          {...(outcome === current && { 'aria-current': 'true' as const })}
          className={clsx(
            'flex h-7 items-center gap-1.5 rounded-md border px-2',
            outcome === current ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover',
          )}
        >
          {title} <span className="text-fg-2 tabular-nums">{formatCount(count)}</span>
        </Link>
      ))}
    </nav>
  )
}
