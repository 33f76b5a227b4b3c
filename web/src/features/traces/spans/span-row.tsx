import clsx from 'clsx'
import { ChevronDown, ChevronRight, CircleX } from 'lucide-react'
import { formatCompact, formatDuration, formatMoney, none } from '../../../ui/format.ts'
import { colourOfKind, kindOf } from './kinds.ts'
import { SpanBar } from './span-bar.tsx'
import { isFailed, type SpanNode, type SpanTree } from './tree.ts'

export const spanHeight = 28
/** Deeper levels are not indented further. */
const deepest = 12

export type RowStyle = 'waterfall' | 'tree'

/**
 * The indentation of a level: at most 14 px, and at most a fifth of the row for all levels together, so that the names of
 * deep spans stay legible on a phone.
 */
function indentOf(depth: number, levels: number): string {
  const steps = Math.min(depth, deepest)
  return `calc(4px + ${steps} * min(14px, 20% / ${Math.max(1, Math.min(levels - 1, deepest))}))`
}

/** One span: its name in the tree, and beside it its time as a bar, or its figures. */
export function SpanRow({
  node,
  tree: { totalMs, levels },
  style,
  top,
  id,
  selected,
  open,
  isFaded,
  onSelect,
  onToggle,
}: {
  node: SpanNode
  tree: SpanTree
  style: RowStyle
  top: number
  id: string
  selected: boolean
  /** Undefined for a span without children. */
  open: boolean | undefined
  /** Whether a search has found only spans below it. */
  isFaded: boolean
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
        className={clsx(
          'flex min-w-0 items-center gap-1.5 pr-3',
          style === 'tree' ? 'flex-1' : 'w-[var(--name-width)] shrink-0',
        )}
        style={{ paddingLeft: indentOf(depth, levels) }}
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
        <bdi className={clsx('truncate', failed ? 'text-error' : isFaded && 'text-fg-3')}>{span.name}</bdi>
        {kind && <span className="hidden shrink-0 text-xs text-fg-2 @md:inline">{kind}</span>}
      </div>
      {style === 'tree' ? (
        <Figures node={node} />
      ) : (
        <SpanBar node={node} totalMs={totalMs} colour={colourOfKind(kind)} />
      )}
      <span className="w-18 shrink-0 pr-2 text-right text-sm text-fg-2 tabular-nums">
        {duration === null ? none : formatDuration(duration)}
        <span className="sr-only">, {more}</span>
      </span>
    </div>
  )
}

/** Model, tokens and cost of a span, where it has them and there is room. */
function Figures({ node: { span } }: { node: SpanNode }) {
  const { model, token_usage: usage, cost } = span
  const tokens = usage as { prompt_tokens?: number; completion_tokens?: number } | undefined
  return (
    <>
      <span className="hidden max-w-40 shrink-0 truncate text-sm text-fg-2 @md:inline">
        {typeof model === 'string' && model}
      </span>
      <span className="hidden w-28 shrink-0 text-right text-sm text-fg-2 tabular-nums @lg:inline">
        {tokens && `${formatCompact(tokens.prompt_tokens)} → ${formatCompact(tokens.completion_tokens)}`}
      </span>
      <span className="hidden w-18 shrink-0 text-right text-sm text-fg-2 tabular-nums @lg:inline">
        {typeof cost === 'number' && formatMoney(cost)}
      </span>
    </>
  )
}
