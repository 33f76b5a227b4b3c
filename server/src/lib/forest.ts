/** A node as it was sent: an id and the id of its parent, each possibly missing, unknown or repeated. */
export interface LinkedNode {
  id: string | undefined
  parentId: string | undefined
}

/**
 * The index of each node's parent, or -1 for a root. A node whose parent is missing is a root, and so is the first node of
 * a cycle. Of nodes with the same id, the first one is the parent of others.
 */
export function parentIndexes(nodes: readonly LinkedNode[]): Int32Array {
  const byId = new Map<string, number>()
  for (const [index, { id }] of nodes.entries()) if (id !== undefined && !byId.has(id)) byId.set(id, index)
  const parents = Int32Array.from(nodes, ({ parentId }) =>
    parentId === undefined ? -1 : (byId.get(parentId) ?? -1),
  )
  // The walk that first reached a node. Each node is walked once, so a chain of any depth takes linear time.
  const walks = new Int32Array(nodes.length).fill(-1)
  for (const start of nodes.keys()) {
    let at = start
    while (at !== -1 && walks[at] === -1) {
      walks[at] = start
      at = parents[at] ?? -1
    }
    if (at !== -1 && walks[at] === start) parents[at] = -1
  }
  return parents
}

/** For each node, whether one of its descendants is marked. */
export function haveMarkedBelow(parents: Int32Array, isMarked: (index: number) => boolean): boolean[] {
  const marked = Array.from(parents, () => false)
  for (const start of parents.keys()) {
    if (!isMarked(start)) continue
    let at = parents[start] ?? -1
    while (at !== -1 && !marked[at]) {
      marked[at] = true
      at = parents[at] ?? -1
    }
  }
  return marked
}
