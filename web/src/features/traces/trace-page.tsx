import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { NeighbourButtons } from './neighbour-buttons.tsx'
import { traceQuery } from './queries.ts'
import { orderOf } from './search.ts'
import { TraceActions } from './trace-actions.tsx'
import { TraceDetail } from './trace-detail.tsx'
import { TraceSkeleton } from './trace-skeleton.tsx'
import { useStableView } from './use-stable-view.ts'

const from = '/signed-in/projects/$projectId/traces/$traceId'

export const TracePage = createLazyRoute(from)({ component: TraceScreen })

/** The screen of one trace. */
function TraceScreen() {
  const { projectId, traceId } = useParams({ from })
  const search = useSearch({ from })
  const { span, spans } = search
  const { data: trace, error, refetch } = useQuery(traceQuery(projectId, traceId))
  const navigate = useNavigate({ from: '/projects/$projectId/traces/$traceId' })
  const view = useStableView(search)
  const order = orderOf(search)
  const list = { ...view, ...order }
  const toList = () =>
    navigate({ to: '/projects/$projectId/traces', params: { projectId }, search: list, replace: true })
  return (
    <Page
      title={traceId}
      above={
        <Link to="/projects/$projectId/traces" params={{ projectId }} search={list}>
          Traces
        </Link>
      }
      actions={
        <>
          <NeighbourButtons
            projectId={projectId}
            traceId={traceId}
            view={view}
            order={order}
            onTrace={(next) =>
              navigate({
                params: { projectId, traceId: next },
                search: (before) => ({ ...before, span: undefined }),
                replace: true,
              })
            }
          />
          {trace && <TraceActions projectId={projectId} trace={trace} onDeleted={toList} />}
        </>
      }
    >
      <div className="mx-auto w-full max-w-[1800px]">
        <QueryState query={{ data: trace, error, refetch }} name="the trace" skeleton={<TraceSkeleton />}>
          {(trace) => (
            <TraceDetail
              key={trace.trace_id}
              projectId={projectId}
              trace={trace}
              span={span}
              onSpan={(next) => navigate({ search: (before) => ({ ...before, span: next }), replace: true })}
              view={spans}
              onView={(next) => navigate({ search: (before) => ({ ...before, spans: next }), replace: true })}
            />
          )}
        </QueryState>
      </div>
    </Page>
  )
}
