import type { RelationshipType } from '@cairn/sdk'
import clsx from 'clsx'
import { tabClass } from '../../ui/tab-class.ts'
import { GraphFinder } from './finder.tsx'
import type { Model } from './model.ts'
import { relationshipTypes } from './palette.ts'
import { TypeLabel } from './type-label.tsx'
import { useGraphSearch } from './use-graph-search.ts'

/** The choice of graph or list, the search, and the filters of relationships. */
export function Filters({ model }: { model: Model | undefined }) {
  const { search, change } = useGraphSearch()
  const hide = search.hide ?? []
  const toggle = (type: RelationshipType) =>
    change({ hide: hide.includes(type) ? hide.filter((one) => one !== type) : [...hide, type] })
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div role="tablist" aria-label="View" className="-my-1.5 flex gap-1">
        {(['graph', 'list'] as const).map((view) => {
          const active = (search.view ?? 'graph') === view
          return (
            <button
              key={view}
              type="button"
              role="tab"
              aria-selected={active}
              className={clsx(tabClass(active), 'h-10')}
              onClick={() => change({ view: view === 'list' ? 'list' : undefined })}
            >
              {view === 'list' ? 'List' : 'Graph'}
            </button>
          )
        })}
      </div>
      <GraphFinder model={model} />
      <fieldset className="flex flex-wrap gap-1" aria-label="Types of relationships">
        {relationshipTypes.map((type) => (
          <button
            key={type}
            type="button"
            aria-pressed={!hide.includes(type)}
            title={hide.includes(type) ? `Show ${type}` : `Hide ${type}`}
            className={clsx(
              'inline-flex h-6 items-center rounded-sm border px-1.5 text-xs hover:bg-hover',
              hide.includes(type) ? 'border-dashed text-fg-3 line-through' : 'bg-surface text-fg-2',
            )}
            onClick={() => toggle(type)}
          >
            <TypeLabel type={type} faint={hide.includes(type)} />
          </button>
        ))}
      </fieldset>
      <LeastConfidence />
    </search>
  )
}

function LeastConfidence() {
  const { search, change } = useGraphSearch()
  const min = search.min ?? 0
  return (
    <label className="flex items-center gap-2 text-sm text-fg-2">
      Confidence ≥
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={min}
        className="w-20 accent-accent"
        onChange={(event) => change({ min: Number(event.target.value) || undefined }, { replace: true })}
      />
      <output className="w-8 tabular-nums">{min.toFixed(2)}</output>
    </label>
  )
}
