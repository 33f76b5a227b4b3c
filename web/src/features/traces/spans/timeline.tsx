import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleX } from 'lucide-react'
import { useEffect, useId, useMemo, useRef } from 'react'
import { formatDuration, plural } from '../../../ui/format.ts'
import { colourOfKind, kindOf } from './kinds.ts'
import { drawnLanes, lanesOf } from './lanes.ts'
import { TimeAxis } from './time-axis.tsx'
import { isFailed, type SpanTree } from './tree.ts'
import type { Collapsing } from './use-collapsing.ts'

const laneHeight = 22
/** Spans narrower than this share of the whole time are drawn only if nothing is beside them. */
const least = 1 / 400
/** Pixels that a name needs. */
const leastName = 26
/** The width before it is known. */
const usualWidth = 600

/** All spans on one time axis, each below its parent; a span beside another one is in a lane of its own. */
export function Timeline({
  tree,
  selected,
  matches,
  collapsing,
  onSelect,
}: {
  tree: SpanTree
  selected: number | undefined
  /** The spans that a search has found; undefined without a search. */
  matches: ReadonlySet<number> | undefined
  collapsing: Collapsing
  onSelect: (at: number | undefined) => void
}) {
  const id = useId()
  const lanes = useMemo(() => lanesOf(tree), [tree])
  const drawn = useMemo(
    () => drawnLanes(lanes, tree.totalMs * least, selected),
    [lanes, tree.totalMs, selected],
  )
  const count = lanes.reduce((most, { lane }) => Math.max(most, lane + 1), 0)
  const byLane = useMemo(() => Map.groupBy(drawn, ({ lane }) => lane), [drawn])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => laneHeight,
    overscan: 4,
  })
  const open = drawn.find(({ node }) => node.at === selected)
  const lane = open?.lane
  useEffect(() => {
    if (lane !== undefined) virtual.scrollToIndex(lane)
  }, [lane, virtual])
  const share = (ms: number) => `${tree.totalMs > 0 ? (ms / tree.totalMs) * 100 : 0}%`
  const inSight = virtual.getVirtualItems().flatMap(({ index }) => byLane.get(index) ?? [])
  const named = (leastName / (virtual.scrollRect?.width ?? usualWidth)) * tree.totalMs
  const timeless = tree.nodes.length - lanes.length
  return (
    <>
      <div className="flex h-7 items-center border-b bg-surface text-sm text-fg-2">
        <TimeAxis totalMs={tree.totalMs} />
      </div>
      <div ref={scroller} className="max-h-[var(--spans-height)] overflow-x-hidden overflow-y-auto">
        <div
          role="tree"
          aria-label="Spans"
          tabIndex={0}
          className="relative -outline-offset-2"
          style={{ height: virtual.getTotalSize() + 4 }}
          {...(open && { 'aria-activedescendant': `${id}-${open.node.at}` })}
          onKeyDown={collapsing.onKeyDown}
        >
          {inSight.map(({ node, lane: place, from, to }) => {
            const { span, at, depth } = node
            const isSelected = at === selected
            const colour = isFailed(span) ? 'var(--error)' : colourOfKind(kindOf(span))
            const isFound = !matches || matches.has(at)
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active span
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
              <div
                key={at}
                id={`${id}-${at}`}
                role="treeitem"
                aria-level={depth + 1}
                aria-selected={isSelected}
                title={`${span.name}: ${formatDuration(to - from)}${isFailed(span) ? ', failed' : ''}`}
                className="absolute h-5 cursor-pointer overflow-hidden rounded-xs border-s-2 px-1 text-xs leading-5 whitespace-nowrap"
                style={{
                  top: place * laneHeight + 3,
                  left: share(from),
                  width: share(to - from),
                  minWidth: 2,
                  borderColor: isFound ? colour : 'var(--line-strong)',
                  backgroundColor: isFound
                    ? `color-mix(in srgb, ${colour} ${isSelected ? 40 : 18}%, var(--background))`
                    : 'var(--surface)',
                  ...(isSelected && { outline: '2px solid var(--accent)' }),
                }}
                onClick={() => onSelect(isSelected ? undefined : at)}
              >
                {isFailed(span) && (
                  <>
                    <CircleX size={12} className="mr-1 inline align-[-2px] text-error" aria-hidden="true" />
                    <span className="sr-only">Failed: </span>
                  </>
                )}
                <bdi className={to - from < named ? 'sr-only' : undefined}>{span.name}</bdi>
              </div>
            )
          })}
        </div>
      </div>
      {timeless > 0 && (
        <p className="border-t px-2 py-1 text-sm text-fg-2">
          {plural(timeless, 'span')} without times: see the tree.
        </p>
      )}
    </>
  )
}
