export interface Graph {
  nodes: { id: string; labels: string[]; properties: { filename?: string; text?: string } }[]
  relationships: {
    id: string
    source: string
    target: string
    type: string
    properties: {
      order?: number
      confidence?: unknown
      ai_generated?: unknown
      method?: unknown
      model?: unknown
    }
  }[]
}

/** A document of the graph with its chunks in order. */
export interface GraphDocument {
  id: string
  filename: string
  chunks: string[]
}

function edgesOf(graph: Graph, type: string): Graph['relationships'] {
  return graph.relationships.filter((edge) => edge.type === type)
}

/** The documents of a graph for which `graphFaults` has found no fault. */
export function documentsOf(graph: Graph): Map<string, GraphDocument> {
  const texts = new Map(graph.nodes.map(({ id, properties }) => [id, properties.text ?? '']))
  const members = Map.groupBy(edgesOf(graph, 'HAS_CHUNK'), ({ source }) => source)
  const documents = graph.nodes.filter(({ labels }) => labels.includes('Document'))
  return new Map(
    documents.map(({ id, properties }) => {
      const edges = (members.get(id) ?? []).toSorted(
        (a, b) => (a.properties.order ?? 0) - (b.properties.order ?? 0),
      )
      const chunks = edges.map(({ target }) => texts.get(target) ?? '')
      return [id, { id, filename: properties.filename ?? '', chunks }]
    }),
  )
}

/** Faults within one document: its orders must be 0..n-1, and NEXT must connect the chunks in this order. */
function chainFaults(id: string, members: Graph['relationships'], next: Map<string, string[]>): string[] {
  const byOrder = members.toSorted((a, b) => (a.properties.order ?? -1) - (b.properties.order ?? -1))
  const orders = byOrder.map(({ properties }) => properties.order)
  if (orders.length === 0) return [`${id} has no chunk`]
  if (orders.some((order, index) => order !== index)) return [`${id} has the chunk orders ${orders}`]
  return byOrder.flatMap(({ target }, index) => {
    const wanted = byOrder[index + 1]?.target
    const found = next.get(target) ?? []
    const good = wanted === undefined ? found.length === 0 : found.length === 1 && found[0] === wanted
    return good ? [] : [`${id}: chunk ${index} has ${found.length} NEXT edges, or one to a wrong chunk`]
  })
}

/** Whether a background job created the relationship, which can happen at any time. */
export function isMade({ properties }: Graph['relationships'][number]): boolean {
  return properties.ai_generated === true && properties.method !== undefined
}

/** Faults of relationships from background jobs: they must be within one document, at most one per pair of chunks. */
function madeFaults(graph: Graph, owners: Map<string, Graph['relationships']>): string[] {
  const made = graph.relationships.filter(isMade)
  const ownerOf = (chunk: string) => owners.get(chunk)?.[0]?.source
  const wrong = made.filter(({ source, target, type, properties: { confidence, method, model } }) => {
    const isBetween = source !== target && ownerOf(source) === ownerOf(target)
    const isType = /^(?:EXPLAINS|SUPPORTS|ELABORATES|INTRODUCES|CONCLUDES)$/.test(type)
    const isSure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1
    return !isBetween || !isType || !isSure || (method === 'model') !== (typeof model === 'string')
  })
  const ends = made.map(({ source, target }) => [source, target].sort().join(' '))
  return [
    ...wrong.map((edge) => `made wrongly: ${JSON.stringify(edge)}`),
    ...(new Set(ends).size === ends.length ? [] : ['two chunks have been related twice']),
  ]
}

/** All incomplete or orphaned parts of a graph; empty if the graph is consistent. */
export function graphFaults(graph: Graph): string[] {
  const labels = new Map(graph.nodes.map((node) => [node.id, node.labels[0]]))
  const hasChunk = edgesOf(graph, 'HAS_CHUNK')
  const nextEdges = edgesOf(graph, 'NEXT')
  const next = new Map(
    [...Map.groupBy(nextEdges, ({ source }) => source)].map(([id, edges]) => [
      id,
      edges.map((e) => e.target),
    ]),
  )
  const owners = Map.groupBy(hasChunk, ({ target }) => target)
  const members = Map.groupBy(hasChunk, ({ source }) => source)
  const of = (label: string) => graph.nodes.filter((node) => node.labels[0] === label)
  const wrongEnds = graph.relationships.filter(({ source, target, type }) => {
    const wanted = type === 'HAS_CHUNK' ? 'Document' : 'Chunk'
    return labels.get(source) !== wanted || labels.get(target) !== 'Chunk'
  })
  const homeless = of('Chunk').filter(({ id }) => owners.get(id)?.length !== 1)
  return [
    ...wrongEnds.map(({ type, source, target }) => `${type} from ${source} to ${target} ends nowhere`),
    ...homeless.map(({ id }) => `${id} belongs to ${owners.get(id)?.length ?? 0} documents`),
    ...madeFaults(graph, owners),
    ...of('Document').flatMap(({ id }) => chainFaults(id, members.get(id) ?? [], next)),
    ...(nextEdges.length === hasChunk.length - of('Document').length
      ? []
      : ['NEXT edges too many or too few']),
  ]
}
