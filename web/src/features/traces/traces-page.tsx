import { CairnApiError } from '@cairn/sdk'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Gavel, Radio } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { ErrorNotice, messageOf } from '../../ui/states/error-notice.tsx'
import { startBatch } from '../scorers/index.ts'
import { NoTraces } from './no-traces.tsx'
import type { TraceSearch } from './search.ts'
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
  const view = useStableView(search)
  const list = useTraces(projectId, view, live !== undefined)
  const show = (changes: Partial<TraceSearch>, replace = false) =>
    navigate({ search: (before) => ({ ...before, ...changes }), replace })
  const refused = list.error instanceof CairnApiError && list.error.status === 400
  const more = list.isFetchingNextPage
  const isRead = list.rows !== undefined
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
            aria-pressed={live !== undefined}
            className={buttonClass(live ? 'primary' : 'default')}
            onClick={() => show({ live: live ? undefined : '1' }, true)}
          >
            <Radio size={14} aria-hidden="true" />
            {live ? 'Live' : 'Live tail'}
          </button>
        </>
      }
      bar={
        <TraceBar
          projectId={projectId}
          view={view}
          refusal={refused && !list.rows ? list.error : undefined}
          onRefresh={list.refresh}
          onChange={(next) => navigate({ search: { ...next, live } })}
        >
          {list.tailError && (
            <span role="status" className="text-warning">
              Not live: {messageOf(list.tailError)}
            </span>
          )}
        </TraceBar>
      }
    >
      {!(refused && !list.rows) && (
        <QueryTable
          query={{ data: list.rows, error: list.rows ? null : list.error, refetch: list.refetch }}
          key={JSON.stringify(view)}
          name="traces"
          label="Traces"
          columns={traceColumns}
          rowKey={traceKey}
          selected={trace}
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
      {trace !== undefined && (
        <TracePanel
          key={trace}
          projectId={projectId}
          traceId={trace}
          span={span}
          onSpan={(next) => show({ span: next }, true)}
          list={{
            view,
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

const traceKey = ({ trace_id }: { trace_id: string }) => trace_id
