import type { Trace } from '@cairn/sdk'
import { formatCount } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ContentView } from './content/content-view.tsx'
import { TraceBreakdown } from './trace-breakdown.tsx'
import { TraceFacts } from './trace-facts.tsx'
import { TraceScores } from './trace-scores.tsx'
import { Waterfall } from './spans/waterfall.tsx'

/** The whole content of a trace: facts, input, output, spans, scores and further data. */
export function TraceDetail({
  projectId,
  trace,
  span,
  onSpan,
}: {
  projectId: string
  trace: Trace
  /** Index of the open span, as text in the address. */
  span: string | undefined
  onSpan: (span: string | undefined) => void
}) {
  const spans = trace.spans.length
  const chatId = chatOf(trace)
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <TraceFacts projectId={projectId} trace={trace} />
      <ContentView title="Input" value={trace.input} projectId={projectId} chatId={chatId} />
      <ContentView title="Output" value={trace.output} projectId={projectId} chatId={chatId} />
      <Section title={spans > 0 ? `Spans (${formatCount(spans)})` : 'Spans'}>
        {spans > 0 ? (
          <Waterfall
            spans={trace.spans}
            projectId={projectId}
            chatId={chatId}
            selected={span === undefined ? undefined : Number(span)}
            onSelect={(at) => onSpan(at === undefined ? undefined : String(at))}
          />
        ) : (
          <p className="text-fg-2">The trace has no spans.</p>
        )}
      </Section>
      <TraceScores projectId={projectId} traceId={trace.trace_id} scores={trace.scores} />
      <TraceBreakdown trace={trace} />
    </div>
  )
}

/** The chat that a trace is an answer of. */
function chatOf({ custom_attributes: { chat_id: chatId } }: Trace): string | undefined {
  return typeof chatId === 'string' ? chatId : undefined
}
