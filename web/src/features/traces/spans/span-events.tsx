import { isObject } from '@cairn/contract/conversations'
import { formatDuration, plural } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'

const mostShown = 100

/** The events of a span in their order, each with its time since the start of the trace. */
export function SpanEvents({ events, originMs }: { events: unknown; originMs: number | undefined }) {
  const list = Array.isArray(events) ? events.filter(isObject) : []
  if (list.length === 0) return null
  return (
    <section aria-label="Events of the span">
      <h4 className="mb-1 font-semibold">Events</h4>
      <ol className="flex flex-col">
        {list.slice(0, mostShown).map(({ name, time_ms: at, attributes }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <li key={place} className="min-w-0 border-t py-1 first:border-t-0">
            <p className="flex gap-2">
              <bdi className="min-w-0 truncate font-medium">{String(name)}</bdi>
              {typeof at === 'number' && originMs !== undefined && (
                <span className="shrink-0 text-fg-2 tabular-nums">
                  {formatDuration(Math.max(0, at - originMs))} after the start
                </span>
              )}
            </p>
            {isObject(attributes) && Object.keys(attributes).length > 0 && (
              <JsonTree value={attributes} label={`Attributes of ${String(name)}`} depth={1} />
            )}
          </li>
        ))}
      </ol>
      {list.length > mostShown && (
        <p className="text-fg-2">{plural(list.length - mostShown, 'further event')}: see the raw JSON</p>
      )}
    </section>
  )
}
