import { X } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { formatDuration } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'
import { Chip, StatusBadge } from '../../../ui/status-badge.tsx'
import { ContentView } from '../content/content-view.tsx'
import { kindOf } from './kinds.ts'
import { isFailed, type SpanNode } from './tree.ts'

/** Fields that are shown separately. */
const shown = new Set([
  'name',
  'start_ms',
  'end_ms',
  'attributes',
  'kind',
  'status',
  'error',
  'input',
  'output',
])

function asText(value: unknown): string | undefined {
  if (value == null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Input, output and attributes of a span. */
export function SpanDetail({
  node,
  projectId,
  chatId,
  onClose,
}: {
  node: SpanNode
  projectId: string
  chatId: string | undefined
  onClose: () => void
}) {
  const { span, from, to, selfMs } = node
  const kind = kindOf(span)
  const contents = [
    ['Span input', span.input],
    ['Span output', span.output],
  ] as const
  const others = Object.entries(span).filter(([name]) => !shown.has(name))
  const attributes = { ...span.attributes, ...Object.fromEntries(others) }
  const contentSpan = useMemo(() => ({ kind, attributes: span.attributes }), [kind, span.attributes])
  const error = asText(span.error)
  return (
    <section aria-label={`Span ${span.name}`} className="flex flex-col gap-3 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-x-2">
        <h3 className="min-w-0 truncate font-semibold">{span.name}</h3>
        {kind && <Chip>{kind}</Chip>}
        {isFailed(span) && <StatusBadge kind="error">Failed</StatusBadge>}
        {from !== null && to !== null && (
          <span className="text-fg-2 tabular-nums max-sm:order-last max-sm:basis-full">
            {formatDuration(to - from)} in total, {formatDuration(selfMs)} self time, {formatDuration(from)}{' '}
            after the start
          </span>
        )}
        <IconButton label="Close the span" className="ml-auto" onClick={onClose}>
          <X size={14} />
        </IconButton>
      </div>
      {error && <p className="break-words whitespace-pre-wrap text-error">{error}</p>}
      {contents.map(([title, value]) => (
        <Fragment key={title}>
          {value != null && (
            <ContentView
              title={title}
              value={value}
              span={contentSpan}
              projectId={projectId}
              chatId={chatId}
              heading="h4"
            />
          )}
        </Fragment>
      ))}
      <section aria-label="Attributes of the span">
        <h4 className="mb-1 font-semibold">Attributes</h4>
        {Object.keys(attributes).length > 0 ? (
          <JsonTree value={attributes} label="Attributes of the span" />
        ) : (
          <p className="text-fg-3">No attributes</p>
        )}
      </section>
    </section>
  )
}
