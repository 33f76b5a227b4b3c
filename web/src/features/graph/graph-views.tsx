import { lazy, Suspense, useCallback, useMemo } from 'react'
import { GraphList } from './graph-list.tsx'
import { type Filter, type Lit, type Model, neighbourhood } from './model.ts'
import { NodePanel } from './node-panel.tsx'
import { RelationshipPanel } from './relationship-panel.tsx'
import { useGraphSearch } from './use-graph-search.ts'

const GraphCanvas = lazy(() => import('./graph-canvas.tsx'))

/** Number of nodes drawn at first, and with each click on “Show more”. */
const drawnAtFirst = 5_000

/** The graph or the list, with a panel for the selected node or relationship. */
export function GraphViews({
  projectId,
  chatId,
  model,
  relating,
}: {
  projectId: string
  chatId: string
  model: Model
  relating: number
}) {
  const { search, change } = useGraphSearch()
  const { hide, min = 0, node, relationship, reach = 1, show = drawnAtFirst } = search
  const hidden = (hide ?? []).join()
  const filter: Filter = useMemo(() => ({ hide: hidden.split(','), min }), [hidden, min])
  const lit = useMemo(
    () => litBy(model, { node, relationship, reach }, filter),
    [model, node, relationship, reach, filter],
  )
  // Neighbours of the selection are drawn even beyond the limit.
  const shown = useMemo(
    () => new Set([...model.items.slice(0, show).map(({ id }) => id), ...(lit?.nodes ?? [])]),
    [model, show, lit],
  )
  const close = useCallback(() => change({ node: undefined, relationship: undefined }), [change])
  const selectNode = useCallback((id: string) => change({ node: id, relationship: undefined }), [change])
  const selectRelationship = useCallback(
    (id: string) => change({ relationship: id, node: undefined }),
    [change],
  )
  const item = node === undefined ? undefined : model.byId.get(node)
  const found = relationship && model.relationships.find(({ id }) => id === relationship)
  const places = { projectId, chatId, model, onClose: close, selectNode, selectRelationship }
  const panel = item ? (
    <NodePanel key={item.id} {...places} item={item} filter={filter} />
  ) : found ? (
    <RelationshipPanel key={found.id} {...places} relationship={found} />
  ) : null
  if (search.view === 'list') {
    return (
      <>
        <GraphList {...places} filter={filter} selected={node ?? relationship} />
        {panel}
      </>
    )
  }
  return (
    <div className="relative flex min-w-0 flex-1">
      <Suspense fallback={<p className="m-auto text-fg-2">Laying out the graph…</p>}>
        <GraphCanvas
          chatId={chatId}
          model={model}
          shown={shown}
          filter={filter}
          lit={lit}
          selected={node ?? relationship}
          covered={panel !== null}
          relating={relating}
          handlers={{ onNode: selectNode, onRelationship: selectRelationship, onNothing: close }}
          onMore={shown.size < model.items.length ? () => change({ show: show + drawnAtFirst }) : undefined}
        />
      </Suspense>
      {panel && <div className="contents lg:absolute lg:inset-y-0 lg:right-0 lg:flex">{panel}</div>}
    </div>
  )
}

function litBy(
  model: Model,
  {
    node,
    relationship,
    reach,
  }: { node: string | undefined; relationship: string | undefined; reach: number },
  filter: Filter,
): Lit | undefined {
  if (node !== undefined && model.byId.has(node)) return neighbourhood(model, node, reach, filter)
  const found = relationship && model.relationships.find(({ id }) => id === relationship)
  if (!found) return undefined
  return { nodes: new Set([found.source, found.target]), relationships: new Set([found.id]) }
}
