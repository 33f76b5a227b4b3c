import clsx from 'clsx'
import { ChevronDown, ChevronRight, CircleX } from 'lucide-react'
import { formatDuration, none } from '../../../ui/format.ts'
import { colourOfKind, kindOf } from './kinds.ts'
import { isFailed, type SpanNode } from './tree.ts'

export const spanHeight = 28
const indent = 14
/** Maximum indentation level, so that the names of deep spans stay legible. */
const deepest = 12

/** One span: its name in the tree, and its time as a bar. */
export function SpanRow({
  node,
  totalMs,
  top,
  id,
  selected,
  open,
  onSelect,
  onToggle,
}: {
  node: SpanNode
  totalMs: number
  top: number
  id: string
  selected: boolean
  /** Undefined for a span without children. */
  open: boolean | undefined
  onSelect: () => void
  onToggle: () => void
}) {
  const { span, depth, from, to, selfMs, parent } = node
  const kind = kindOf(span)
  const failed = isFailed(span)
  const duration = from === null || to === null ? null : to - from
  const Chevron = open ? ChevronDown : ChevronRight
  const more = `${formatDuration(selfMs)} self time${failed ? ', failed' : ''}`
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={selected}
      aria-setsize={parent ? parent.children.length : -1}
      {...(open !== undefined && { 'aria-expanded': open })}
      className={clsx(
        'absolute inset-x-0 flex cursor-pointer items-center',
        selected ? 'bg-selected' : 'hover:bg-hover',
      )}
      style={{ height: spanHeight, transform: `translateY(${top}px)` }}
      onClick={onSelect}
      title={`${span.name}: ${more}`}
    >
      <div
        className="flex w-[44%] min-w-0 shrink-0 items-center gap-1.5 pr-3"
        style={{ paddingLeft: 4 + Math.min(depth, deepest) * indent }}
      >
        {open === undefined ? (
          <span className="w-4 shrink-0" />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the tree folds by keyboard
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree folds by keyboard
          <span
            data-toggle
            className="grid size-4 shrink-0 place-items-center rounded-sm text-fg-2 hover:text-fg"
            onClick={(event) => {
              event.stopPropagation()
              onToggle()
            }}
          >
            <Chevron size={12} aria-hidden="true" />
          </span>
        )}
        <span
          className="size-2 shrink-0 rounded-full"
          style={{ backgroundColor: colourOfKind(kind) }}
          aria-hidden="true"
        />
        {failed && <CircleX size={12} className="shrink-0 text-error" aria-hidden="true" />}
        <span className={clsx('truncate', failed && 'text-error')}>{span.name}</span>
        {kind && <span className="shrink-0 text-xs text-fg-2 max-sm:hidden">{kind}</span>}
      </div>
      <Bar node={node} totalMs={totalMs} colour={colourOfKind(kind)} />
      <span className="w-18 shrink-0 pr-2 text-right text-sm text-fg-2 tabular-nums">
        {duration === null ? none : formatDuration(duration)}
        <span className="sr-only">, {more}</span>
      </span>
    </div>
  )
}

/** The bar of a span: its whole time in a pale colour, its self time in a strong one. */
function Bar({
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
          {self.slice(0, 100).map(([start, end]) => (
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
