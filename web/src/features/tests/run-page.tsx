import type { Run } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useParams } from '@tanstack/react-router'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { formatDuration, formatMoney, formatTime, plural } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { runQuery, suiteQuery } from './queries.ts'
import { Results } from './results.tsx'
import { RunActions } from './run-actions.tsx'
import { passRateOf, RunBadge, runTitle } from './run-badges.tsx'
import { TargetName } from './target-name.tsx'

const route = '/signed-in/projects/$projectId/tests/runs/$runId'
export const RunPage = createLazyRoute(route)({ component: RunScreen })

/** The screen of a run: its progress, figures and results. */
function RunScreen() {
  const { projectId, runId } = useParams({ from: route })
  const { data: run, error, refetch } = useQuery(runQuery(projectId, runId))
  return (
    <Page
      title={run ? runTitle(run) : 'Run'}
      above={
        <>
          <Link
            to="/projects/$projectId/tests"
            params={{ projectId }}
            className="hover:text-fg max-md:hidden"
          >
            Tests
          </Link>
          {run && <SuiteLink projectId={projectId} suiteId={run.suite_id} />}
        </>
      }
      actions={run && <RunActions projectId={projectId} run={run} />}
      fill
    >
      <QueryState query={{ data: run, error, refetch }} name="the run" fill>
        {(run) => (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <RunHead projectId={projectId} run={run} />
            <Results projectId={projectId} run={run} />
          </div>
        )}
      </QueryState>
    </Page>
  )
}

function SuiteLink({ projectId, suiteId }: { projectId: string; suiteId: string }) {
  const { data: suite } = useQuery(suiteQuery(projectId, suiteId))
  return (
    <>
      <span className="max-md:hidden">/</span>
      <Link
        to="/projects/$projectId/tests/$suiteId"
        params={{ projectId, suiteId }}
        search={{ tab: 'runs' }}
        className="max-w-24 truncate hover:text-fg md:max-w-72"
      >
        {suite?.name ?? 'Suite'}
      </Link>
    </>
  )
}

function RunHead({ projectId, run }: { projectId: string; run: Run }) {
  const done = run.passed + run.failed
  return (
    <div className="flex flex-col gap-3 border-b px-4 py-3">
      {run.error && <ErrorNotice error={new Error(run.error)} title="The run failed" />}
      <Facts facts={factsOf(projectId, run)} />
      {run.status === 'running' && (
        <div className="flex items-center gap-3" role="status">
          <Progress done={done} total={run.total} label="Cases done" />
          <span className="whitespace-nowrap text-fg-2 tabular-nums">
            {`${done} of ${plural(run.total, 'case')}`}
          </span>
        </div>
      )}
      {run.notes && <p className="max-w-prose whitespace-pre-wrap text-fg-2">{run.notes}</p>}
    </div>
  )
}

function factsOf(projectId: string, run: Run): Fact[] {
  return [
    { name: 'State', value: <RunBadge run={run} /> },
    { name: 'Passed', value: `${passRateOf(run)} (${run.passed} of ${run.passed + run.failed})` },
    { name: 'Average latency', value: formatDuration(run.avg_latency_ms) },
    { name: 'Cost', value: formatMoney(run.total_cost) },
    { name: 'Scoring cost', value: formatMoney(run.judge_cost) },
    { name: 'Target', value: <TargetName projectId={projectId} target={run.target} /> },
    ...(run.version ? [{ name: 'Version', value: run.version }] : []),
    { name: 'Concurrency', value: run.concurrency },
    { name: 'Timeout per case', value: formatDuration(run.timeout_ms) },
    { name: 'Started', value: <Ago at={run.started_at} /> },
    ...(run.completed_at
      ? [
          {
            name: 'Took',
            value: (
              <span title={formatTime(run.completed_at)}>
                {formatDuration(Date.parse(run.completed_at) - Date.parse(run.started_at))}
              </span>
            ),
          },
        ]
      : []),
  ]
}
