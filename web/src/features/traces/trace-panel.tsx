import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { SkeletonBlock } from '../../ui/states/skeleton.tsx'
import { NeighbourButtons } from './neighbour-buttons.tsx'
import { traceQuery } from './queries.ts'
import type { TraceOrder } from './search.ts'
import type { SpanView } from './spans/views.ts'
import { TraceSkeleton } from './trace-skeleton.tsx'

// The code loads while the trace loads, so that the list appears without it.
const detail = lazyComponent(() => import('./trace-detail.tsx').then(({ TraceDetail }) => TraceDetail))
const actions = lazyComponent(() => import('./trace-actions.tsx').then(({ TraceActions }) => TraceActions))

/** Loads the code of the panel before a trace is opened. */
export function loadTracePanel(): void {
  detail.load()
  actions.load()
}

/** A list of traces beside the panel, whose address has the view of the spans. */
interface PanelList {
  view: FilterValues
  order: TraceOrder
  spans: SpanView | undefined
  onSpans: (spans: SpanView | undefined) => void
  onTrace: (traceId: string) => void
}

/** A side panel with one trace. */
export function TracePanel({
  projectId,
  traceId,
  span,
  onSpan,
  list,
  onClose,
}: {
  projectId: string
  traceId: string
  span: string | undefined
  onSpan: (span: string | undefined) => void
  /** The list of traces beside the panel. */
  list?: PanelList
  onClose: () => void
}) {
  const { data: trace, error, refetch } = useQuery(traceQuery(projectId, traceId))
  const navigate = useNavigate()
  const latest = useRef(onClose)
  latest.current = onClose
  const close = useCallback(() => latest.current(), [])
  return (
    <SidePanel
      label="Trace"
      onClose={close}
      onExpand={() =>
        navigate({
          to: '/projects/$projectId/traces/$traceId',
          params: { projectId, traceId },
          search: { ...list?.view, ...list?.order, span, spans: list?.spans },
        })
      }
      actions={
        <>
          {list && (
            <NeighbourButtons
              projectId={projectId}
              traceId={traceId}
              view={list.view}
              order={list.order}
              onTrace={list.onTrace}
            />
          )}
          {trace && <actions.Component projectId={projectId} trace={trace} onDeleted={onClose} />}
        </>
      }
    >
      <div className="p-4">
        <QueryState query={{ data: trace, error, refetch }} name="the trace" skeleton={<TraceSkeleton />}>
          {(trace) => (
            <detail.Component
              projectId={projectId}
              trace={trace}
              span={span}
              onSpan={onSpan}
              {...(list && { view: list.spans, onView: list.onSpans })}
              fallback={
                <SkeletonBlock name="the trace">
                  <TraceSkeleton />
                </SkeletonBlock>
              }
            />
          )}
        </QueryState>
      </div>
    </SidePanel>
  )
}
