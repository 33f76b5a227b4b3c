import type { StoredScore } from '@cairn/sdk'
import { X } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { JsonTree } from '../../../ui/json-tree.tsx'
import { Chip, StatusBadge } from '../../../ui/status-badge.tsx'
import { PlainText } from '../../../ui/text/plain-text.tsx'
import { ContentView } from '../content/content-view.tsx'
import { kindOf } from './kinds.ts'
import { SpanEvents } from './span-events.tsx'
import { SpanFacts } from './span-facts.tsx'
import { isFailed, type SpanNode } from './tree.ts'

/** Fields that are shown separately. */
const shown = new Set([
  ...['name', 'start_ms', 'end_ms', 'attributes', 'kind', 'status', 'error', 'input', 'output'],
  ...['model', 'token_usage', 'cost', 'events', 'span_id', 'parent_id'],
])

function errorOf(value: unknown): string | undefined {
  if (value == null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Input, output, figures, events and attributes of a span. */
export function SpanDetail({
  node,
  originMs,
  projectId,
  chatId,
  link,
  scores,
  onClose,
}: {
  node: SpanNode
  /** The start of the trace. */
  originMs: number | undefined
  projectId: string
  chatId: string | undefined
  /** The address of the span. */
  link: string
  /** The scores of the span. */
  scores: readonly StoredScore[]
  onClose: () => void
}) {
  const { span } = node
  const kind = kindOf(span)
  const contents = [
    ['Span input', span.input],
    ['Span output', span.output],
  ] as const
  const others = Object.entries(span).filter(([name]) => !shown.has(name))
  const attributes = { ...span.attributes, ...Object.fromEntries(others) }
  const contentSpan = useMemo(() => ({ kind, attributes: span.attributes }), [kind, span.attributes])
  const error = errorOf(span.error)
  return (
    <section aria-label={`Span ${span.name}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col gap-1">
        <div className="flex min-h-7 items-center gap-x-2">
          <h3 className="min-w-0 truncate text-lg font-semibold" title={span.name}>
            <bdi>{span.name}</bdi>
          </h3>
          {kind && <Chip>{kind}</Chip>}
          {isFailed(span) && <StatusBadge kind="error">Failed</StatusBadge>}
          <span className="ml-auto flex shrink-0 items-center">
            <CopyButton text={link} label="Copy the link to this span">
              Link
            </CopyButton>
            <IconButton label="Close the span" onClick={onClose}>
              <X size={14} />
            </IconButton>
          </span>
        </div>
        <SpanFacts node={node} scores={scores} />
      </div>
      {error !== undefined && (
        <div className="rounded-md border border-error bg-error-surface p-2 text-error">
          <PlainText text={error} first={4000} />
        </div>
      )}
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
      <SpanEvents events={span.events} originMs={originMs} />
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
