import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { type RowStyle, SpanRow, spanHeight } from './span-row.tsx'
import { TimeAxis } from './time-axis.tsx'
import type { SpanTree } from './tree.ts'
import type { Collapsing } from './use-collapsing.ts'

/** The spans of a trace as a tree of rows: with their times on one axis, or with their figures. */
export function Waterfall({
  tree,
  style,
  selected,
  matches,
  collapsing,
  onSelect,
}: {
  tree: SpanTree
  style: RowStyle
  /** Index of the selected span in the trace. */
  selected: number | undefined
  /** The spans that a search has found; undefined without a search. */
  matches: ReadonlySet<number> | undefined
  collapsing: Collapsing
  onSelect: (at: number | undefined) => void
}) {
  const { visible, index, collapsed } = collapsing
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => spanHeight,
    overscan: 10,
  })
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index)
  }, [index, virtual])
  const node = visible[index]
  const hasChildren = tree.nodes.some(({ children }) => children.length > 0)
  return (
    <>
      <div className="flex h-7 items-center border-b bg-surface text-sm text-fg-2">
        <span
          className={`flex shrink-0 items-center gap-1 pl-2 ${style === 'tree' ? 'flex-1' : 'w-[var(--name-width)]'}`}
        >
          Span
          {hasChildren && !matches && (
            <Button
              variant="ghost"
              className="h-6"
              onClick={collapsed.size > 0 ? collapsing.expandAll : collapsing.collapseAll}
            >
              {collapsed.size > 0 ? 'Expand all' : 'Collapse all'}
            </Button>
          )}
        </span>
        {style === 'waterfall' ? (
          <TimeAxis totalMs={tree.totalMs} />
        ) : (
          <span className="pr-2 text-right text-xs">
            <span className="hidden @lg:inline">Model, tokens, cost, </span>time
          </span>
        )}
      </div>
      <div ref={scroller} className="max-h-[var(--spans-height)] overflow-auto">
        <div
          role="tree"
          aria-label="Spans"
          tabIndex={0}
          className="relative -outline-offset-2"
          style={{ height: virtual.getTotalSize() }}
          {...(node && { 'aria-activedescendant': `${id}-${node.at}` })}
          onKeyDown={collapsing.onKeyDown}
        >
          {virtual.getVirtualItems().map(({ index: place, start }) => {
            const row = visible[place]
            return (
              row && (
                <SpanRow
                  key={row.at}
                  id={`${id}-${row.at}`}
                  node={row}
                  tree={tree}
                  style={style}
                  top={start}
                  selected={row.at === selected}
                  open={row.children.length > 0 ? !collapsed.has(row.at) : undefined}
                  isFaded={matches !== undefined && !matches.has(row.at)}
                  onSelect={() => onSelect(row.at === selected ? undefined : row.at)}
                  onToggle={() => collapsing.toggle(row)}
                />
              )
            )
          })}
        </div>
      </div>
    </>
  )
}
