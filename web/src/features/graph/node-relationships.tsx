import type { GraphRelationship } from '@cairn/sdk'
import clsx from 'clsx'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatScore, plural } from '../../ui/format.ts'
import { confidenceOf, type Filter, type Item, labelOf, type Model, otherEnd, passes } from './model.ts'
import type { PanelProps } from './panel.ts'
import { TypeLabel } from './type-label.tsx'
import { useGraphSearch } from './use-graph-search.ts'

const shownAtFirst = 30

/** The relationships of a node, by confidence, and the choice of how many steps are highlighted. */
export function NodeRelationships({
  model,
  item,
  filter,
  selectNode,
  selectRelationship,
}: PanelProps & { item: Item; filter: Filter }) {
  const [shown, setShown] = useState(shownAtFirst)
  const all = (model.ofNode.get(item.id) ?? []).filter((one) => passes(one, filter))
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || confidenceOf(b) - confidenceOf(a))
  return (
    <section aria-label="Relationships" className="flex flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{plural(all.length, 'relationship')}</h3>
        <Reach />
      </div>
      <ul className="flex flex-col">
        {sorted.slice(0, shown).map((one) => (
          <Row
            key={one.id}
            relationship={one}
            from={item.id}
            model={model}
            onNode={selectNode}
            onRelationship={selectRelationship}
          />
        ))}
      </ul>
      {all.length > shown && (
        <Button className="self-start" onClick={() => setShown(shown + 200)}>
          {formatCount(all.length - shown)} more
        </Button>
      )}
    </section>
  )
}

/** Sort order of types: relationships between chunks, then NEXT, then HAS_CHUNK. */
function rank({ type }: GraphRelationship): number {
  return type === 'HAS_CHUNK' ? 2 : type === 'NEXT' ? 1 : 0
}

/** Chooses how many steps around the node are highlighted. */
function Reach() {
  const { search, change } = useGraphSearch()
  const reach = search.reach ?? 1
  return (
    <fieldset className="flex items-center gap-1 text-sm text-fg-2" aria-label="Highlighted neighbours">
      Neighbours
      {[1, 2, 3].map((steps) => (
        <button
          key={steps}
          type="button"
          aria-pressed={reach === steps}
          aria-label={plural(steps, 'step')}
          title={`Neighbours within ${plural(steps, 'step')}`}
          className={clsx(
            'h-6 w-6 rounded-sm border tabular-nums',
            reach === steps ? 'border-accent bg-selected text-fg' : 'hover:bg-hover',
          )}
          onClick={() => change({ reach: steps === 1 ? undefined : steps }, { replace: true })}
        >
          {steps}
        </button>
      ))}
    </fieldset>
  )
}

function Row({
  relationship,
  from,
  model,
  onNode,
  onRelationship,
}: {
  relationship: GraphRelationship
  from: string
  model: Model
  onNode: (id: string) => void
  onRelationship: (id: string) => void
}) {
  const other = model.byId.get(otherEnd(relationship, from))
  const isOut = relationship.source === from
  const Arrow = isOut ? ArrowRight : ArrowLeft
  return (
    <li className="flex flex-col border-b py-1.5 last:border-b-0">
      <div className="flex items-center gap-2 text-xs text-fg-2">
        <Arrow size={12} aria-label={isOut ? 'to' : 'from'} />
        <button
          type="button"
          className="min-h-6 rounded-sm hover:bg-hover"
          title="Open the relationship"
          onClick={() => onRelationship(relationship.id)}
        >
          <TypeLabel type={relationship.type} />
        </button>
        {rank(relationship) === 0 && (
          <span className="ml-auto tabular-nums">{formatScore(confidenceOf(relationship))}</span>
        )}
      </div>
      {other && (
        <button
          type="button"
          className="min-h-6 truncate rounded-sm text-left hover:bg-hover"
          title={other.text.slice(0, 500)}
          onClick={() => onNode(other.id)}
        >
          {labelOf(other)}
        </button>
      )}
    </li>
  )
}
