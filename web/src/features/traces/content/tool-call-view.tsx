import { Wrench } from 'lucide-react'
import { plural } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { PlainText } from '../../../ui/text/plain-text.tsx'
import type { ChatCall } from './chat.ts'
import { PartView } from './part-view.tsx'

const mostParts = 50

/** A call of a tool: its arguments, and its result below them. */
export function ToolCallView({ call: { id, name, args, result } }: { call: ChatCall }) {
  return (
    <section aria-label={`Call of ${name}`} className="min-w-0 rounded-md border" data-call={name}>
      <div className="flex flex-wrap items-center gap-x-2 border-b bg-surface px-2 py-0.5">
        <Wrench size={12} className="shrink-0 text-fg-2" aria-hidden="true" />
        <bdi className="min-w-0 truncate font-mono text-sm font-medium">{name}</bdi>
        {result?.isFailed && <StatusBadge kind="error">Failed</StatusBadge>}
        {id !== undefined && (
          <span className="ms-auto min-w-0 truncate font-mono text-xs text-fg-3" title={id}>
            {id}
          </span>
        )}
      </div>
      <div className="min-w-0 p-2">
        {args === undefined || args === '' ? (
          <p className="text-fg-3">No arguments</p>
        ) : typeof args === 'object' && args !== null ? (
          <JsonTree value={args} label={`Arguments of ${name}`} depth={1} />
        ) : (
          <PlainText text={String(args)} first={2000} />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-1 border-t p-2">
        <p className="text-sm text-fg-2">{result ? 'Result' : 'No result in this conversation'}</p>
        {result?.parts.slice(0, mostParts).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <PartView key={at} part={part} of="tool" />
        ))}
        {result && result.parts.length > mostParts && (
          <p className="text-fg-2">{plural(result.parts.length - mostParts, 'further part')}: see JSON</p>
        )}
        {result?.parts.length === 0 && <p className="text-fg-3">Empty</p>}
      </div>
    </section>
  )
}
