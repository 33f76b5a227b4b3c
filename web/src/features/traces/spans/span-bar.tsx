import { isFailed, type SpanNode } from './tree.ts'

const mostParts = 100

/** The bar of a span: its whole time in a pale colour, its self time in a strong one. */
export function SpanBar({
  node: { from, to, self, span },
  totalMs,
  colour,
}: {
  node: SpanNode
  totalMs: number
  colour: string
}) {
  const share = (ms: number) => `${totalMs > 0 ? (ms / totalMs) * 100 : 0}%`
  return (
    <span className="relative h-full min-w-0 flex-1 border-l" aria-hidden="true">
      {from !== null && to !== null && (
        <>
          <span
            className="absolute top-2 h-3 min-w-0.5 rounded-xs"
            style={{
              left: share(from),
              width: share(to - from),
              backgroundColor: `color-mix(in srgb, ${colour} 30%, transparent)`,
            }}
          />
          {self.slice(0, mostParts).map(([start, end]) => (
            <span
              key={start}
              data-self
              className="absolute top-2 h-3 min-w-0.5 rounded-xs"
              style={{ left: share(start), width: share(end - start), backgroundColor: colour }}
            />
          ))}
          {isFailed(span) && (
            <span className="absolute top-1.5 h-4 border-r-2 border-error" style={{ left: share(to) }} />
          )}
        </>
      )}
    </span>
  )
}
