import type { SuiteSummary } from '@cairn/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { useReadMore } from '../../shared/use-read-more.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatCount } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { CreateSuite } from './create-suite.tsx'
import { lastRunQuery, suitesQuery } from './queries.ts'
import { passRateOf, RunBadge } from './run-badges.tsx'

export const SuitesPage = createLazyRoute('/signed-in/projects/$projectId/tests')({ component: Suites })

const columnsOf = (projectId: string): readonly Column<SuiteSummary>[] => [
  {
    id: 'name',
    title: 'Suite',
    width: 280,
    grow: true,
    cell: ({ suite_id: suiteId, name, description }) => (
      <Link
        to="/projects/$projectId/tests/$suiteId"
        params={{ projectId, suiteId }}
        className="font-medium"
        title={description ?? name}
        tabIndex={-1}
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'last',
    title: 'Latest run',
    width: 260,
    cell: ({ suite_id }) => <LastRun projectId={projectId} suiteId={suite_id} />,
  },
  {
    id: 'cases',
    title: 'Cases',
    width: 80,
    align: 'right',
    cell: ({ case_count }) => formatCount(case_count),
  },
  {
    id: 'tags',
    title: 'Tags',
    width: 180,
    cell: ({ tags }) => (
      <span className="inline-flex gap-1">
        {tags.map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </span>
    ),
  },
  { id: 'created', title: 'Created', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
]

function LastRun({ projectId, suiteId }: { projectId: string; suiteId: string }) {
  const { data: run } = useQuery(lastRunQuery(projectId, suiteId))
  if (run === undefined) return <Skeleton className="h-3 w-24" />
  if (run === null) return <span className="text-fg-3">Never run</span>
  return (
    <span className="flex items-center gap-3">
      <span className="w-12 text-right tabular-nums">{passRateOf(run)}</span>
      <RunBadge run={run} />
      <span className="text-fg-3">
        <Ago at={run.started_at} />
      </span>
    </span>
  )
}

/** The screen of all suites of a project. */
function Suites() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const list = useInfiniteQuery(suitesQuery(projectId))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const suites = data?.pages.flatMap((page) => page.suites)
  const createButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      New suite
    </Button>
  )
  return (
    <Page title="Tests" actions={suites && suites.length > 0 && createButton} fill>
      <QueryTable
        query={{ data: suites, error, refetch }}
        name="suites"
        label="Suites"
        columns={columnsOf(projectId)}
        rowKey={({ suite_id }) => suite_id}
        onOpen={({ suite_id: suiteId }) =>
          navigate({ to: '/projects/$projectId/tests/$suiteId', params: { projectId, suiteId } })
        }
        onEnd={readMore}
        empty={<NoSuites projectId={projectId} createButton={createButton} />}
      />
      {creating && <CreateSuite projectId={projectId} open onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NoSuites({ projectId, createButton }: { projectId: string; createButton: ReactNode }) {
  const command = `export CAIRN_URL=${serverAddress}
export CAIRN_PROJECT_ID=${projectId}
export CAIRN_API_KEY=<key of the project>
npm run -s cairn -- import-cases --create "My suite" cases.csv
npm run -s cairn -- test "My suite"
`
  return (
    <EmptyState title="No suites yet">
      <p>
        A suite is a list of questions with expected answers. A run sends them to a chat, a model or your own
        endpoint, and shows which answers got better or worse.
      </p>
      <div>{createButton}</div>
      <p>Or use the command line, with a CSV file that has the columns query and expected_answer:</p>
      <CodeBlock code={command} label="Import and run a suite" />
    </EmptyState>
  )
}
