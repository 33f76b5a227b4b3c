import { useDeferredValue, useMemo, useState } from 'react'
import { formatCount, plural } from '../../../ui/format.ts'
import { Switch } from '../../../ui/switch.tsx'
import { findSpans } from './search.ts'
import { Timeline } from './timeline.tsx'
import type { SpanTree } from './tree.ts'
import { useCollapsing } from './use-collapsing.ts'
import { type SpanView, spanViews } from './views.ts'
import { Waterfall } from './waterfall.tsx'

const titles: Record<SpanView, string> = { waterfall: 'Waterfall', tree: 'Tree', timeline: 'Timeline' }

/** The spans of a trace in one of three views, with a search. */
export function SpansView({
  tree,
  selected,
  onSelect,
  view,
  onView,
}: {
  tree: SpanTree
  /** Index of the selected span in the trace. */
  selected: number | undefined
  onSelect: (at: number | undefined) => void
  view: SpanView
  onView: (view: SpanView) => void
}) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const found = useMemo(() => findSpans(tree, wanted), [tree, wanted])
  const matches = useMemo(() => found && new Set(found.matches.map(({ at }) => at)), [found])
  const collapsing = useCollapsing(tree, found?.kept, selected, onSelect)
  const selectNext = () => {
    const list = found?.matches ?? []
    const next = list[list.findIndex(({ at }) => at === selected) + 1] ?? list[0]
    if (next) onSelect(next.at)
  }
  const shared = { tree, selected, matches, collapsing, onSelect }
  return (
    <section aria-label="Spans" className="@container flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">Spans ({formatCount(tree.nodes.length)})</h2>
        <input
          type="search"
          data-search
          aria-label="Search the spans"
          placeholder="Search the spans"
          className="order-last h-7 min-w-0 flex-1 basis-full rounded-md border border-line-strong bg-background px-2 @lg:order-none @lg:max-w-60 @lg:basis-24"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') selectNext()
            if (event.key !== 'Escape' || text === '') return
            // Escape first empties the search, and then closes a panel.
            event.preventDefault()
            setText('')
          }}
        />
        {found && (
          <span role="status" className="text-sm text-fg-2">
            {found.matches.length === 0 ? 'No match' : plural(found.matches.length, 'match', 'matches')}
          </span>
        )}
        <span className="ml-auto">
          <Switch
            label="View of the spans"
            options={spanViews.map((name) => ({ name, title: titles[name] }))}
            value={view}
            onChange={onView}
          />
        </span>
      </div>
      <div className="overflow-hidden rounded-md border [--name-width:62%] @md:[--name-width:44%]">
        {view === 'timeline' ? <Timeline {...shared} /> : <Waterfall {...shared} style={view} />}
      </div>
    </section>
  )
}
