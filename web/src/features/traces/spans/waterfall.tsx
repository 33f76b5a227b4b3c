import type { Span } from '@cairn/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useMemo, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatDuration } from '../../../ui/format.ts'
import { SpanDetail } from './span-detail.tsx'
import { SpanRow, spanHeight } from './span-row.tsx'
import { buildTree } from './tree.ts'
import { useCollapsing } from './use-collapsing.ts'

const mostRows = 16
const ticks = [0, 0.25, 0.5, 0.75]

/** The spans of a trace: a tree on the left, their times on one axis on the right, the selected span below. */
export function Waterfall({
  spans,
  projectId,
  chatId,
  selected,
  onSelect,
}: {
  spans: readonly Span[]
  projectId: string
  chatId: string | undefined
  /** Index of the selected span in the trace. */
  selected: number | undefined
  onSelect: (at: number | undefined) => void
}) {
  const tree = useMemo(() => buildTree(spans), [spans])
  const collapsing = useCollapsing(tree, selected, onSelect)
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
    <div className="flex flex-col gap-3">
      <div className="overflow-hidden rounded-md border">
        <div className="flex h-7 items-center border-b bg-surface text-sm text-fg-2">
          <span className="flex w-[44%] shrink-0 items-center gap-1 pl-2">
            Span
            {hasChildren && (
              <Button
                variant="ghost"
                className="h-6"
                onClick={collapsed.size > 0 ? collapsing.expandAll : collapsing.collapseAll}
              >
                {collapsed.size > 0 ? 'Expand all' : 'Collapse all'}
              </Button>
            )}
          </span>
          <span className="relative h-full flex-1">
            {ticks.map((share) => (
              <span
                key={share}
                className={`absolute inset-y-0 border-l pt-1 pl-1 text-xs tabular-nums ${share % 0.5 ? 'max-sm:hidden' : ''}`}
                style={{ left: `${share * 100}%` }}
              >
                {formatDuration(tree.totalMs * share)}
              </span>
            ))}
          </span>
          <span className="w-18 shrink-0 pr-2 text-right text-xs tabular-nums">
            {formatDuration(tree.totalMs)}
          </span>
        </div>
        <div ref={scroller} className="overflow-auto" style={{ maxHeight: mostRows * spanHeight }}>
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
                    totalMs={tree.totalMs}
                    top={start}
                    selected={row.at === selected}
                    open={row.children.length > 0 ? !collapsed.has(row.at) : undefined}
                    onSelect={() => onSelect(row.at === selected ? undefined : row.at)}
                    onToggle={() => collapsing.toggle(row)}
                  />
                )
              )
            })}
          </div>
        </div>
      </div>
      {node && (
        <SpanDetail
          key={node.at}
          node={node}
          projectId={projectId}
          chatId={chatId}
          onClose={() => onSelect(undefined)}
        />
      )}
    </div>
  )
}
