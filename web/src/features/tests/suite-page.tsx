import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { CasesTab } from './cases-tab.tsx'
import { runsQuery, suiteQuery } from './queries.ts'
import { RunsTab } from './runs-tab.tsx'
import { StartRun } from './start-run.tsx'
import { SuiteSettings } from './suite-settings.tsx'

const route = '/signed-in/projects/$projectId/tests/$suiteId'
export const SuitePage = createLazyRoute(route)({ component: SuiteScreen })

/** The screen of a suite: its cases, runs and settings. */
function SuiteScreen() {
  const { projectId, suiteId } = useParams({ from: route })
  const { tab = 'cases' } = useSearch({ from: route })
  const navigate = useNavigate()
  const suite = useQuery(suiteQuery(projectId, suiteId))
  const runs = useInfiniteQuery(runsQuery(projectId, suiteId))
  const [starting, setStarting] = useState(false)
  const place = `/projects/${projectId}/tests/${suiteId}`
  const underWay = runs.data?.pages[0]?.runs.find(({ status }) => status === 'running')
  return (
    <Page
      title={suite.data?.name ?? 'Suite'}
      above={
        <Link to="/projects/$projectId/tests" params={{ projectId }} className="hover:text-fg">
          Tests
        </Link>
      }
      actions={
        <>
          {underWay && (
            <Link
              to="/projects/$projectId/tests/runs/$runId"
              params={{ projectId, runId: underWay.run_id }}
              className="link"
            >
              A run is in progress
            </Link>
          )}
          <Button variant="primary" disabled={!suite.data} onClick={() => setStarting(true)}>
            <Play size={14} aria-hidden="true" />
            Run
          </Button>
        </>
      }
      bar={
        <TabLinks
          label="Suite"
          current={tab}
          tabs={[
            {
              name: 'cases',
              title: <Counted title="Cases" count={suite.data?.case_count} />,
              to: place,
              search: {},
            },
            { name: 'runs', title: 'Runs', to: place, search: { tab: 'runs' } },
            { name: 'settings', title: 'Settings', to: place, search: { tab: 'settings' } },
          ]}
        />
      }
      fill={tab !== 'settings'}
    >
      {suite.error && !suite.data ? (
        <div className="flex-1 p-4">
          <ErrorNotice error={suite.error} title="The suite could not be loaded" retry={suite.refetch} />
        </div>
      ) : tab === 'cases' ? (
        <CasesTab projectId={projectId} suiteId={suiteId} />
      ) : tab === 'runs' ? (
        <RunsTab projectId={projectId} suiteId={suiteId} onStart={() => setStarting(true)} />
      ) : (
        suite.data && <SuiteSettings projectId={projectId} suite={suite.data} />
      )}
      {starting && suite.data && (
        <StartRun
          projectId={projectId}
          suite={suite.data}
          onClose={() => setStarting(false)}
          onStarted={(runId) =>
            navigate({ to: '/projects/$projectId/tests/runs/$runId', params: { projectId, runId } })
          }
        />
      )}
    </Page>
  )
}

function Counted({ title, count }: { title: string; count: number | undefined }) {
  if (count === undefined) return title
  return (
    <>
      {title}
      <span className="ml-1.5 text-fg-3 tabular-nums">{formatCount(count)}</span>
    </>
  )
}
