import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { traceQuery } from './queries.ts'
import { TraceActions } from './trace-actions.tsx'
import { TraceDetail } from './trace-detail.tsx'
import { TraceSkeleton } from './trace-skeleton.tsx'

const from = '/signed-in/projects/$projectId/traces/$traceId'

export const TracePage = createLazyRoute(from)({ component: TraceScreen })

/** The screen of one trace. */
function TraceScreen() {
  const { projectId, traceId } = useParams({ from })
  const { span } = useSearch({ from })
  const { data: trace, error, refetch } = useQuery(traceQuery(projectId, traceId))
  const navigate = useNavigate({ from: '/projects/$projectId/traces/$traceId' })
  const toList = () => navigate({ to: '/projects/$projectId/traces', params: { projectId }, replace: true })
  return (
    <Page
      title={traceId}
      above={
        <Link to="/projects/$projectId/traces" params={{ projectId }}>
          Traces
        </Link>
      }
      actions={trace && <TraceActions projectId={projectId} trace={trace} onDeleted={toList} />}
    >
      <div className="mx-auto w-full max-w-6xl">
        <QueryState query={{ data: trace, error, refetch }} name="the trace" skeleton={<TraceSkeleton />}>
          {(trace) => (
            <TraceDetail
              projectId={projectId}
              trace={trace}
              span={span}
              onSpan={(next) => navigate({ search: { span: next }, replace: true })}
            />
          )}
        </QueryState>
      </div>
    </Page>
  )
}
