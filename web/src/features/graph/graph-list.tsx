import type { GraphRelationship } from '@cairn/sdk'
import clsx from 'clsx'
import { useMemo } from 'react'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { formatCount, formatScore, plural } from '../../ui/format.ts'
import { confidenceOf, type Filter, find, type Item, lineOf, type Model, passes } from './model.ts'
import { TypeLabel } from './type-label.tsx'
import { useGraphSearch } from './use-graph-search.ts'

export interface ListProps {
  model: Model
  filter: Filter
  selected: string | undefined
  selectNode: (id: string) => void
  selectRelationship: (id: string) => void
}

/** The graph as a table of its nodes or of its relationships. */
export function GraphList(props: ListProps) {
  const { search, change } = useGraphSearch()
  const showsRelationships = search.rows === 'relationships'
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <fieldset className="flex gap-1 border-b px-4 py-1" aria-label="Rows">
        {([undefined, 'relationships'] as const).map((rows) => (
          <button
            key={rows ?? 'nodes'}
            type="button"
            aria-pressed={search.rows === rows}
            className={clsx(
              'h-6 rounded-sm px-2',
              search.rows === rows ? 'bg-selected font-medium' : 'text-fg-2 hover:bg-hover',
            )}
            onClick={() => change({ rows })}
          >
            {rows ? 'Relationships' : 'Documents and chunks'}
          </button>
        ))}
      </fieldset>
      {showsRelationships ? <Relationships {...props} /> : <Nodes {...props} />}
    </div>
  )
}

function Nodes({ model, filter, selected, selectNode }: ListProps) {
  const { q = '' } = useGraphSearch().search
  const rows = useMemo(() => (q === '' ? model.items : find(model, q)), [model, q])
  const columns: readonly Column<Item>[] = useMemo(
    () => [
      { id: 'kind', title: 'Kind', width: 96, cell: ({ kind }) => kindNames[kind] },
      { id: 'text', title: 'Name or text', width: 400, grow: true, cell: (item) => <Title item={item} /> },
      {
        id: 'document',
        title: 'Document',
        width: 180,
        cell: ({ kind, fileId }) => kind === 'chunk' && model.byId.get(fileId)?.text,
      },
      {
        id: 'place',
        title: 'Place',
        width: 64,
        align: 'right',
        cell: ({ order }) => order >= 0 && formatCount(order + 1),
      },
      {
        id: 'relationships',
        title: 'Relationships',
        width: 136,
        align: 'right',
        cell: ({ id }) => formatCount(model.ofNode.get(id)?.filter((one) => passes(one, filter)).length),
      },
    ],
    [model, filter],
  )
  return (
    <DataTable
      name="graph-nodes"
      label="Documents and chunks"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      selected={selected}
      onOpen={({ id }) => selectNode(id)}
      footer={plural(rows.length, 'node')}
    />
  )
}

const kindNames = { document: 'Document', chunk: 'Chunk' }

function Title({ item }: { item: Item }) {
  return (
    <span title={item.text.slice(0, 500)} className={clsx(item.kind === 'document' && 'font-medium')}>
      {lineOf(item)}
    </span>
  )
}

function Relationships({ model, filter, selected, selectRelationship }: ListProps) {
  const { q = '' } = useGraphSearch().search
  const rows = useMemo(() => {
    const found = q === '' ? undefined : new Set(find(model, q).map(({ id }) => id))
    return model.relationships.filter(
      (one) => passes(one, filter) && (!found || found.has(one.source) || found.has(one.target)),
    )
  }, [model, filter, q])
  const columns: readonly Column<GraphRelationship>[] = useMemo(() => {
    const end = (id: string) => {
      const item = model.byId.get(id)
      return item && <Title item={item} />
    }
    return [
      { id: 'source', title: 'Source', width: 320, grow: true, cell: ({ source }) => end(source) },
      { id: 'type', title: 'Type', width: 132, cell: ({ type }) => <TypeLabel type={type} /> },
      { id: 'target', title: 'Target', width: 320, grow: true, cell: ({ target }) => end(target) },
      {
        id: 'confidence',
        title: 'Confidence',
        width: 128,
        align: 'right',
        cell: (one) => formatScore(confidenceOf(one)),
      },
    ]
  }, [model])
  return (
    <DataTable
      name="graph-relationships"
      label="Relationships"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      selected={selected}
      onOpen={({ id }) => selectRelationship(id)}
      footer={plural(rows.length, 'relationship')}
    />
  )
}
