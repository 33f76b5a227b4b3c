import { CairnApiError } from '@cairn/sdk'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Gavel, Radio } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { ErrorNotice, messageOf } from '../../ui/states/error-notice.tsx'
import { startBatch } from '../scorers/index.ts'
import { NoTraces } from './no-traces.tsx'
import { nextOrder, orderOf, type TraceSearch } from './search.ts'
import { TraceBar } from './trace-bar.tsx'
import { traceColumns } from './trace-columns.tsx'
import { loadTracePanel, TracePanel } from './trace-panel.tsx'
import { useStableView } from './use-stable-view.ts'
import { useTraces } from './use-traces.ts'

export const TracesPage = createLazyRoute('/signed-in/projects/$projectId/traces')({ component: Traces })

/** The screen of all traces of a project. */
function Traces() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/traces' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/traces' })
  const navigate = useNavigate({ from: '/projects/$projectId/traces' })
  const [isScoring, setScoring] = useState(false)
  const { trace, span, spans, live } = search
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const view = useStableView(search)
  const { sort_by, order } = search
  const sorted = useMemo(() => orderOf({ sort_by, order }), [sort_by, order])
  const isSorted = sort_by !== undefined || order !== undefined
  const isLive = live !== undefined && !isSorted
  const list = useTraces(projectId, view, sorted, isLive)
  const show = (changes: Partial<TraceSearch>, replace = false) =>
    navigate({ search: (before) => ({ ...before, ...changes }), replace })
  const refused = list.error instanceof CairnApiError && list.error.status === 400
  const more = list.isFetchingNextPage
  const isRead = list.rows !== undefined
  const listKey = JSON.stringify([projectId, view, sorted])
  const shownList = useRef(listKey)
  if (!list.isPlaceholderData) shownList.current = listKey
  // Marked rows belong to the list in which they were marked.
  const markedIn = useRef(listKey)
  if (markedIn.current !== listKey) {
    markedIn.current = listKey
    if (marked.size > 0) setMarked(new Set())
  }
  useEffect(() => {
    if (isRead) loadTracePanel()
  }, [isRead])

  return (
    <Page
      title="Traces"
      fill
      actions={
        <>
          <Button onPointerEnter={startBatch.load} onClick={() => setScoring(true)}>
            <Gavel size={14} aria-hidden="true" />
            Score these
          </Button>
          <button
            type="button"
            aria-pressed={isLive}
            className={buttonClass(isLive ? 'primary' : 'default')}
            onClick={() =>
              show({ live: isLive ? undefined : '1', sort_by: undefined, order: undefined }, true)
            }
          >
            <Radio size={14} aria-hidden="true" />
            {isLive ? 'Live' : 'Live tail'}
          </button>
        </>
      }
      bar={
        <TraceBar
          projectId={projectId}
          view={view}
          refusal={refused && !list.rows ? list.error : undefined}
          onRefresh={list.refresh}
          onChange={(next, isTyping = false) =>
            navigate({ search: { ...next, live, sort_by, order }, replace: isTyping })
          }
        >
          {list.tailError && (
            <span role="status" className="text-warning">
              Not live: {messageOf(list.tailError)}
            </span>
          )}
        </TraceBar>
      }
    >
      <div className="flex min-w-0 flex-1 flex-col">
        {!(refused && !list.rows) && (
          <QueryTable
            query={{ data: list.rows, error: list.rows ? null : list.error, refetch: list.refetch }}
            list={shownList.current}
            name="traces"
            label="Traces"
            columns={traceColumns}
            rowKey={traceKey}
            selected={trace}
            sort={{ column: sort_by ?? 'time', order: order ?? 'desc' }}
            onSort={(column) => show({ ...nextOrder(sorted, column), live: undefined })}
            marked={marked}
            onMark={setMarked}
            maxMarked={maxSelected}
            stale={list.isPlaceholderData}
            onOpen={({ trace_id }) => show({ trace: trace_id, span: undefined }, trace !== undefined)}
            onEnd={list.readMore}
            footer={
              list.isFetchNextPageError ? (
                <ErrorNotice
                  error={list.error}
                  title="No further traces could be loaded"
                  retry={list.fetchNextPage}
                />
              ) : more ? (
                'Loading more…'
              ) : list.hasNextPage ? (
                `${formatCount(list.rows?.length ?? 0)} traces loaded`
              ) : (
                `${plural(list.rows?.length ?? 0, 'trace')} in total`
              )
            }
            skeletonRows={24}
            empty={<NoTraces projectId={projectId} filtered={Object.keys(view).length > 0} />}
          />
        )}
        {marked.size > 0 && list.rows && (
          <selectionBar.Component
            projectId={projectId}
            traces={list.rows.filter(({ trace_id }) => marked.has(trace_id))}
            onClear={() => setMarked(new Set())}
          />
        )}
      </div>
      {trace !== undefined && (
        <TracePanel
          key={trace}
          projectId={projectId}
          traceId={trace}
          span={span}
          onSpan={(next) => show({ span: next }, true)}
          list={{
            view,
            order: sorted,
            spans,
            onSpans: (next) => show({ spans: next }, true),
            onTrace: (next) => show({ trace: next, span: undefined }, true),
          }}
          onClose={() => show({ trace: undefined, span: undefined })}
        />
      )}
      {isScoring && (
        <startBatch.Component projectId={projectId} view={view} onClose={() => setScoring(false)} />
      )}
    </Page>
  )
}

const selectionBar = lazyComponent(() =>
  import('./selection/selection-bar.tsx').then(({ SelectionBar }) => SelectionBar),
)
/** The server takes at most this many ids in one request. */
const maxSelected = 100

const traceKey = ({ trace_id }: { trace_id: string }) => trace_id
