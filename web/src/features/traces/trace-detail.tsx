import type { Trace } from '@cairn/sdk'
import clsx from 'clsx'
import { useEffect, useMemo, useRef, useState } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { ContentView } from './content/content-view.tsx'
import { SpanDetail } from './spans/span-detail.tsx'
import { SpansView } from './spans/spans-view.tsx'
import { addressOf, buildTree, spanAt } from './spans/tree.ts'
import type { SpanView } from './spans/views.ts'
import { TraceBreakdown } from './trace-breakdown.tsx'
import { TraceFacts } from './trace-facts.tsx'
import { TraceScores } from './trace-scores.tsx'

/** Height of the selected span, in pixels, that must be in sight. */
const leastShown = 160

/**
 * The whole content of a trace. With enough room, the spans are on the left, and on the right is the selected span, or input,
 * output and further data of the trace. Otherwise, and for a timeline, these are below each other.
 */
export function TraceDetail({
  projectId,
  trace,
  span,
  onSpan,
  view,
  onView,
}: {
  projectId: string
  trace: Trace
  /** Id or index of the open span, as text in the address. */
  span: string | undefined
  onSpan: (span: string | undefined) => void
  /** The view of the spans in the address, of screens that keep it there. */
  view?: SpanView | undefined
  onView?: ((view: SpanView | undefined) => void) | undefined
}) {
  const tree = useMemo(() => buildTree(trace.spans), [trace.spans])
  const node = useMemo(() => spanAt(tree, span), [tree, span])
  const detail = useRef<HTMLDivElement>(null)
  const spans = useRef<HTMLDivElement>(null)
  const [ownView, setOwnView] = useState<SpanView>()
  const setView = onView ?? setOwnView
  const at = node?.at
  useEffect(() => {
    if (at !== undefined) reveal(detail.current, spans.current)
  }, [at])
  const chatId = chatOf(trace)
  const select = (index: number | undefined) => {
    const next = tree.nodes.find((one) => one.at === index)
    onSpan(next && addressOf(tree, next))
  }
  const hasSpans = tree.nodes.length > 0
  const shownView = (onView ? view : ownView) ?? 'waterfall'
  // A timeline needs the whole width, and less height.
  const isBeside = hasSpans && shownView !== 'timeline'
  return (
    <div className="@container flex min-w-0 flex-col gap-4">
      <TraceFacts projectId={projectId} trace={trace} />
      <div className={clsx('flex min-w-0 flex-col gap-5', isBeside && '@4xl:flex-row @4xl:items-start')}>
        {hasSpans && (
          <div
            ref={spans}
            className={clsx(
              'order-2 min-w-0 scroll-mt-2 [--spans-height:280px] @4xl:order-1',
              isBeside &&
                'sm:[--spans-height:448px] @4xl:sticky @4xl:top-0 @4xl:w-[46%] @4xl:shrink-0 @4xl:[--spans-height:calc(100dvh-10rem)]',
            )}
          >
            <SpansView
              tree={tree}
              selected={at}
              onSelect={select}
              view={shownView}
              onView={(next) => setView(next === 'waterfall' ? undefined : next)}
            />
          </div>
        )}
        <div
          className={clsx(
            'contents',
            hasSpans && '@4xl:order-2 @4xl:flex @4xl:min-w-0 @4xl:flex-1 @4xl:flex-col @4xl:gap-5',
          )}
        >
          <div className={clsx('order-1 flex min-w-0 flex-col gap-4', node && '@4xl:hidden')}>
            <ContentView title="Input" value={trace.input} projectId={projectId} chatId={chatId} />
            <ContentView title="Output" value={trace.output} projectId={projectId} chatId={chatId} />
          </div>
          {node && (
            <div ref={detail} className="order-3 min-w-0 scroll-mt-2">
              <SpanDetail
                key={node.at}
                node={node}
                originMs={tree.originMs}
                projectId={projectId}
                chatId={chatId}
                link={`${serverAddress}/projects/${encodeURIComponent(projectId)}/traces/${encodeURIComponent(trace.trace_id)}?span=${encodeURIComponent(addressOf(tree, node))}`}
                scores={trace.scores.filter(
                  ({ span_id: id }) => id !== undefined && id === node.span.span_id,
                )}
                onClose={() => onSpan(undefined)}
              />
            </div>
          )}
          <div className={clsx('order-4 flex min-w-0 flex-col gap-5', node && '@4xl:hidden')}>
            <TraceScores
              projectId={projectId}
              traceId={trace.trace_id}
              scores={trace.scores}
              onSpan={onSpan}
            />
            <TraceBreakdown trace={trace} />
          </div>
        </div>
      </div>
    </div>
  )
}

/** Scrolls the selected span into view, if its top is out of sight: itself beside the spans, or with the spans above it. */
function reveal(detail: HTMLElement | null, spans: HTMLElement | null): void {
  const view = detail?.closest('main, aside > div')?.getBoundingClientRect()
  if (!detail || !spans || !view) return
  const own = detail.getBoundingClientRect()
  const isBeside = own.left >= spans.getBoundingClientRect().right
  if (own.top < view.top || own.top > view.bottom - leastShown) {
    ;(isBeside ? detail : spans).scrollIntoView({ block: 'start' })
  }
}

/** The chat that a trace is an answer of. */
function chatOf({ custom_attributes: { chat_id: chatId } }: Trace): string | undefined {
  return typeof chatId === 'string' ? chatId : undefined
}
