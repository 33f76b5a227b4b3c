import type { CaseChange, ComparedCase, Run, RunComparison } from '@cairn/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import clsx from 'clsx'
import { useId } from 'react'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { formatCount, formatDuration, formatMoney, formatTime } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge, type StatusKind } from '../../ui/status-badge.tsx'
import { ComparedDetail } from './compared-detail.tsx'
import { ComparisonNumbers } from './comparison-numbers.tsx'
import { comparisonQuery, runsQuery } from './queries.ts'
import { passRateOf, ResultBadge, runTitle } from './run-badges.tsx'

const route = '/signed-in/projects/$projectId/tests/compare'
export const ComparePage = createLazyRoute(route)({ component: CompareScreen })

const changes: Record<CaseChange, { title: string; kind: StatusKind }> = {
  regressed: { title: 'Got worse', kind: 'error' },
  improved: { title: 'Got better', kind: 'success' },
  same: { title: 'Unchanged', kind: 'info' },
  only_in_a: { title: 'Only in A', kind: 'info' },
  only_in_b: { title: 'Only in B', kind: 'info' },
}
const order = Object.keys(changes) as CaseChange[]

function sideOf(side: ComparedCase['a']) {
  return side ? (
    <ResultBadge result={{ passed: side.passed, error: null }} />
  ) : (
    <span className="text-fg-3">–</span>
  )
}

const columns: readonly Column<ComparedCase>[] = [
  {
    id: 'change',
    title: 'Change',
    width: 120,
    cell: ({ change }) => <StatusBadge kind={changes[change].kind}>{changes[change].title}</StatusBadge>,
  },
  {
    id: 'query',
    title: 'Input',
    width: 320,
    grow: true,
    cell: ({ query }) => <span title={query}>{query}</span>,
  },
  {
    id: 'latencyA',
    title: 'Latency A',
    width: 95,
    align: 'right',
    cell: ({ a }) => formatDuration(a?.latency_ms),
  },
  {
    id: 'latencyB',
    title: 'Latency B',
    width: 95,
    align: 'right',
    cell: ({ b }) => formatDuration(b?.latency_ms),
  },
  { id: 'costA', title: 'Cost A', width: 85, align: 'right', cell: ({ a }) => formatMoney(a?.cost) },
  { id: 'costB', title: 'Cost B', width: 85, align: 'right', cell: ({ b }) => formatMoney(b?.cost) },
  { id: 'a', title: 'Result A', width: 100, cell: ({ a }) => sideOf(a) },
  { id: 'b', title: 'Result B', width: 100, cell: ({ b }) => sideOf(b) },
]

/** The screen that compares two runs: their figures, and the change of each case. */
function CompareScreen() {
  const { projectId } = useParams({ from: route })
  const search = useSearch({ from: route })
  const { a, b, change, case: open } = search
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...comparisonQuery(projectId, a ?? '', b ?? ''),
    enabled: Boolean(a && b),
  })
  const suite = search.suite ?? data?.run_a.suite_id
  const go = (next: Partial<typeof search>) =>
    navigate({
      to: '/projects/$projectId/tests/compare',
      params: { projectId },
      search: { ...search, suite, ...next },
    })
  const rows = data?.cases.filter((one) => !change || one.change === change) ?? []
  const shown = data?.cases.find(({ case_id }) => case_id === open)
  return (
    <Page
      title="Compare runs"
      above={
        <Link
          to={suite ? '/projects/$projectId/tests/$suiteId' : '/projects/$projectId/tests'}
          params={{ projectId, suiteId: suite ?? '' }}
          search={suite ? { tab: 'runs' } : {}}
          className="hover:text-fg"
        >
          Runs
        </Link>
      }
      bar={
        <section aria-label="Runs to compare" className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <RunSelect
            label="A"
            projectId={projectId}
            suite={suite}
            value={a}
            onChange={(runId) => go({ a: runId, case: undefined })}
          />
          <RunSelect
            label="B"
            projectId={projectId}
            suite={suite}
            value={b}
            onChange={(runId) => go({ b: runId, case: undefined })}
          />
        </section>
      }
      fill
    >
      {!a || !b ? (
        <EmptyState title="Choose two runs">
          <p>
            The comparison shows the cases of both runs side by side, and which cases got better or worse from
            A to B.
          </p>
        </EmptyState>
      ) : (
        <QueryState query={{ data, error, refetch }} name="the comparison" fill>
          {(data) => (
            <div className="flex min-h-0 min-w-0 flex-1">
              <div className="flex min-h-0 min-w-0 flex-1 flex-col">
                <ComparisonNumbers projectId={projectId} comparison={data} />
                <Changes
                  comparison={data}
                  current={change}
                  onChange={(next) => go({ change: next, case: undefined })}
                />
                {rows.length === 0 ? (
                  <EmptyState title="No cases with this change" />
                ) : (
                  <DataTable
                    name="compared"
                    label="Cases of both runs"
                    columns={columns}
                    rows={rows}
                    rowKey={({ case_id }) => case_id}
                    selected={open}
                    onOpen={({ case_id }) => go({ case: case_id })}
                  />
                )}
              </div>
              {shown && (
                <SidePanel label="Case in both runs" onClose={() => go({ case: undefined })}>
                  <ComparedDetail projectId={projectId} comparison={data} compared={shown} />
                </SidePanel>
              )}
            </div>
          )}
        </QueryState>
      )}
    </Page>
  )
}

function RunSelect({
  label,
  projectId,
  suite,
  value,
  onChange,
}: {
  label: string
  projectId: string
  suite: string | undefined
  value: string | undefined
  onChange: (runId: string) => void
}) {
  const { data } = useInfiniteQuery({ ...runsQuery(projectId, suite ?? ''), enabled: suite !== undefined })
  const id = useId()
  const runs = data?.pages.flatMap((page) => page.runs) ?? []
  const isThere = runs.some(({ run_id }) => run_id === value)
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Select
        id={id}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
        className="max-w-96 min-w-0"
      >
        {!value && <option value="">Choose a run</option>}
        {value && !isThere && <option value={value}>{value}</option>}
        {runs.map((run) => (
          <option key={run.run_id} value={run.run_id}>
            {optionText(run)}
          </option>
        ))}
      </Select>
    </div>
  )
}

function optionText(run: Run): string {
  return `${runTitle(run)} · ${passRateOf(run)} · ${formatTime(run.started_at)}`
}

function Changes({
  comparison,
  current,
  onChange,
}: {
  comparison: RunComparison
  current: CaseChange | undefined
  onChange: (change: CaseChange | undefined) => void
}) {
  const { counts, cases } = comparison
  return (
    <fieldset aria-label="Filter cases by change" className="flex flex-wrap gap-1 border-b px-4 py-1.5">
      {[undefined, ...order].map((change) => {
        const count = change ? counts[change] : cases.length
        if (change?.startsWith('only') && count === 0) return null
        return (
          <button
            key={change ?? 'all'}
            type="button"
            aria-pressed={change === current}
            onClick={() => onChange(change)}
            className={clsx(
              'flex h-7 items-center gap-1.5 rounded-md border px-2',
              change === current ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover',
            )}
          >
            {change ? changes[change].title : 'All'}{' '}
            <span className="text-fg-2 tabular-nums">{formatCount(count)}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
