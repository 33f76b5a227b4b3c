import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { periods } from '../../shared/filters/periods.ts'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { projectQuery } from '../../shared/queries/projects.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Skeleton, SkeletonRows } from '../../ui/states/skeleton.tsx'
import {
  figures,
  hasTracesQuery,
  LatencyChart,
  periodOf,
  Summary,
  useMinute,
  type View,
  VolumeChart,
} from '../analytics/index.ts'
import { FirstRun, FirstTrace } from '../start/index.ts'
import { ActiveVersion } from './active-version.tsx'
import { ChatList } from './chat-list.tsx'
import { NewestErrors } from './newest-errors.tsx'
import { overviewPeriods } from './overview-periods.ts'
import { OverviewSection } from './overview-section.tsx'

export const ProjectHomePage = createLazyRoute('/signed-in/projects/$projectId/')({ component: ProjectHome })

const shown = figures.filter(({ label }) => ['Traces', 'Error rate', 'Latency p95', 'Cost'].includes(label))

/** The overview of a project; for an empty project, the first steps. */
function ProjectHome() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/' })
  const project = useQuery(projectQuery(projectId))
  const traces = useQuery(hasTracesQuery(projectId))
  const chats = useQuery(chatsQuery(projectId))
  const failed = [project, traces, chats].find(({ error }) => error)
  const isRead = traces.data !== undefined && chats.data !== undefined
  const isEmpty = isRead && !traces.data && chats.data.length === 0
  return (
    <Page title="Overview" actions={isRead && !isEmpty && traces.data && <PeriodChoice />}>
      {failed ? (
        <ErrorNotice error={failed.error} title="The project could not be loaded" retry={failed.refetch} />
      ) : (
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          {project.data ? (
            <h2 className="text-xl font-semibold">{project.data.name}</h2>
          ) : (
            <Skeleton className="h-6 w-48" />
          )}
          <CopyId id={projectId} />
          {traces.data && (
            <Link
              to="/projects/$projectId/analytics"
              params={{ projectId }}
              search={{ period: search.period ?? '24h' }}
              className="link ml-auto"
            >
              All numbers
            </Link>
          )}
        </div>
      )}
      {!failed && !isRead && <SkeletonRows name="the overview" />}
      {isEmpty && <FirstRun projectId={projectId} />}
      {isRead && !isEmpty && <Overview projectId={projectId} hasTraces={traces.data} />}
    </Page>
  )
}

function PeriodChoice() {
  const { period = '24h' } = useSearch({ from: '/signed-in/projects/$projectId/' })
  const navigate = useNavigate({ from: '/projects/$projectId' })
  return (
    <div className="flex gap-1">
      {overviewPeriods.map((name) => (
        <Button
          key={name}
          variant={name === period ? 'default' : 'ghost'}
          aria-pressed={name === period}
          onClick={() => void navigate({ search: { period: name } })}
        >
          {periods[name].title}
        </Button>
      ))}
    </div>
  )
}

function Overview({ projectId, hasTraces }: { projectId: string; hasTraces: boolean }) {
  const { period } = useSearch({ from: '/signed-in/projects/$projectId/' })
  const view: View = {
    projectId,
    filters: {},
    period: periodOf({ period }, useMinute(), '24h'),
    groupBy: undefined,
  }
  return (
    <>
      {hasTraces ? (
        <>
          <Summary view={view} figures={shown} />
          <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
            <VolumeChart view={view} height={140} />
            <LatencyChart view={view} height={140} percentile="p95" />
          </div>
        </>
      ) : (
        <OverviewSection title="Traces">
          <p className="max-w-prose text-fg-2">
            Every answer of a chat is recorded as a trace. Your application can send traces too:
          </p>
          <FirstTrace projectId={projectId} />
        </OverviewSection>
      )}
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
        {hasTraces && <NewestErrors projectId={projectId} />}
        <div className="flex min-w-0 flex-col gap-6">
          <ActiveVersion projectId={projectId} />
          <ChatList projectId={projectId} />
        </div>
      </div>
    </>
  )
}
