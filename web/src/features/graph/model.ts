import type { GraphData, GraphNode, GraphRelationship } from '@cairn/sdk'

/** A document or a chunk of one. */
export interface Item {
  id: string
  kind: 'document' | 'chunk'
  /** File name, or the text of the chunk. */
  text: string
  /** Id of the document: its own id, or the id of its document. */
  fileId: string
  /** Index in the document from 0; -1 for a document. */
  order: number
  properties: GraphNode['properties']
}

export interface Model {
  /** Documents, each followed by its chunks in order. */
  items: readonly Item[]
  byId: ReadonlyMap<string, Item>
  relationships: readonly GraphRelationship[]
  /** Relationships of each node, in both directions. */
  ofNode: ReadonlyMap<string, readonly GraphRelationship[]>
}

function itemOf(node: GraphNode, place: { fileId: string; order: number } | undefined): Item {
  const { id, labels, properties } = node
  const isDocument = labels.includes('Document')
  const text = String((isDocument ? properties.filename : properties.text) ?? '')
  const { fileId = id, order = -1 } = place ?? {}
  return { id, kind: isDocument ? 'document' : 'chunk', text, fileId, order, properties }
}

export function modelOf({ nodes, relationships }: GraphData): Model {
  const places = new Map<string, { fileId: string; order: number }>()
  for (const { type, source, target, properties } of relationships) {
    if (type === 'HAS_CHUNK') places.set(target, { fileId: source, order: Number(properties.order) })
  }
  const all = nodes.map((node) => itemOf(node, places.get(node.id)))
  const chunks = Map.groupBy(
    all.filter(({ kind }) => kind === 'chunk'),
    ({ fileId }) => fileId,
  )
  const items = all
    .filter(({ kind }) => kind === 'document')
    .flatMap((document) => [
      document,
      ...(chunks.get(document.id) ?? []).toSorted((a, b) => a.order - b.order),
    ])
  const ofNode = new Map<string, GraphRelationship[]>(items.map(({ id }) => [id, []]))
  for (const one of relationships) {
    ofNode.get(one.source)?.push(one)
    ofNode.get(one.target)?.push(one)
  }
  return { items, byId: new Map(items.map((item) => [item.id, item])), relationships, ofNode }
}

const labelLength = 56

/** The beginning of a text in one line; a heading is followed by a dot: `The wheel · The wheel of the mill is …`. */
export function lineOf({ kind, text }: Item): string {
  if (kind === 'document') return text
  return text
    .slice(0, 500)
    .replace(/^#+[ \t]+(.*\S)\s*\n\s*(?=\S)/gm, '$1 · ')
    .replace(/\s+/g, ' ')
    .replace(/^[#>*\s-]+/, '')
}

/** A name that fits beside a node. */
export function labelOf(item: Item): string {
  const { kind } = item
  const line = lineOf(item)
  return kind === 'document' || line.length <= labelLength ? line : `${line.slice(0, labelLength).trimEnd()}…`
}

/** The words around the first match, else the beginning. */
export function excerptOf(item: Item, sought: string): string {
  const word = sought.trim().toLowerCase().split(/\s+/)[0] ?? ''
  const at = item.text.toLowerCase().indexOf(word)
  if (item.kind === 'document' || at <= labelLength / 2) return labelOf(item)
  const start = item.text.lastIndexOf(' ', at - 20) + 1
  const line = item.text.slice(start, start + 2 * labelLength).replace(/\s+/g, ' ')
  return `…${line.slice(0, labelLength + 20).trimEnd()}…`
}

/** Confidence from 0 to 1; relationships without one, such as HAS_CHUNK, count as certain. */
export function confidenceOf({ properties: { confidence } }: GraphRelationship): number {
  return typeof confidence === 'number' ? confidence : 1
}

export interface Filter {
  hide: readonly string[]
  min: number
}

export function passes(relationship: GraphRelationship, { hide, min }: Filter): boolean {
  return !hide.includes(relationship.type) && confidenceOf(relationship) >= min
}

/** The other end of a relationship of a node. */
export function otherEnd({ source, target }: GraphRelationship, id: string): string {
  return source === id ? target : source
}

export interface Lit {
  nodes: ReadonlySet<string>
  relationships: ReadonlySet<string>
}

/** Nodes and relationships within `reach` steps of a node, along relationships that pass the filter. */
export function neighbourhood({ ofNode }: Model, id: string, reach: number, filter: Filter): Lit {
  const nodes = new Set([id])
  const relationships = new Set<string>()
  let edge = [id]
  for (let step = 0; step < reach; step++) {
    const next: string[] = []
    for (const at of edge) {
      for (const one of ofNode.get(at) ?? []) {
        if (!passes(one, filter)) continue
        relationships.add(one.id)
        const far = otherEnd(one, at)
        if (!nodes.has(far)) next.push(far)
        nodes.add(far)
      }
    }
    edge = next
  }
  return { nodes, relationships }
}

/** Items whose text contains every word or whose id equals the text; documents first. */
export function find({ items }: Model, text: string, most = Number.POSITIVE_INFINITY): Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const holds = (item: Item) => {
    const content = item.text.toLowerCase()
    return item.id === text.trim() || words.every((word) => content.includes(word))
  }
  const found: Item[] = []
  for (const kind of ['document', 'chunk']) {
    for (const item of items) {
      if (found.length >= most) return found
      if (item.kind === kind && holds(item)) found.push(item)
    }
  }
  return found
}
