import { MultiUndirectedGraph } from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'

/** A document and its chunks. Node 0 is the document, nodes 1 to `chunks` are its chunks. */
export interface Cluster {
  chunks: number
  /** Source, target and weight of each inner relationship, in a flat list. */
  links: readonly number[]
}

export interface Circle {
  x: number
  y: number
  r: number
}

/** Distance between chunks. */
const room = 10
const gap = 14

/** Positions of each document and its chunks: x and y in a flat list. The layout is deterministic and avoids `taken`. */
export function layOut(clusters: readonly Cluster[], taken: readonly Circle[] = []): Float32Array {
  const shapes = clusters.map(shapeOf)
  const centres = pack(
    clusters.map((cluster) => radiusOf(cluster) + gap),
    taken,
  )
  const result = new Float32Array(2 * shapes.reduce((sum, shape) => sum + shape.length / 2, 0))
  let at = 0
  shapes.forEach((shape, index) => {
    const { x, y } = centres[index] as Circle
    for (let i = 0; i < shape.length; i += 2) {
      result[at++] = x + (shape[i] ?? 0)
      result[at++] = y + (shape[i + 1] ?? 0)
    }
  })
  return result
}

function radiusOf({ chunks }: Cluster): number {
  return chunks === 0 ? 0 : room * (0.6 + Math.sqrt(chunks))
}

/** Chunks start on a spiral around their document; ForceAtlas2 then moves related chunks together. */
function shapeOf(cluster: Cluster): number[] {
  if (cluster.chunks <= 8) return onCircle(cluster)
  const start = coil(cluster.chunks)
  const graph = new MultiUndirectedGraph()
  for (let node = 0; node <= cluster.chunks; node++) {
    graph.addNode(node, { x: start[2 * node], y: start[2 * node + 1], fixed: node === 0 })
  }
  for (let at = 0; at < cluster.links.length; at += 3) {
    graph.addEdge(cluster.links[at], cluster.links[at + 1], { weight: cluster.links[at + 2] })
  }
  const places = forceAtlas2(graph, {
    iterations: cluster.chunks > 500 ? 60 : 120,
    settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: cluster.chunks > 300 },
  })
  const moved = [0, 0]
  const [hub] = [places['0'] ?? { x: 0, y: 0 }]
  for (let node = 1; node <= cluster.chunks; node++) {
    const { x = 0, y = 0 } = places[node] ?? {}
    moved.push(x - (hub.x ?? 0), y - (hub.y ?? 0))
  }
  return withinRadius(moved, radiusOf(cluster))
}

/** Places few chunks on a circle; the label of the document fits between the first and the last chunk. */
function onCircle(cluster: Cluster): number[] {
  const places = [0, 0]
  for (let chunk = 0; chunk < cluster.chunks; chunk++) {
    // A small rotation keeps labels from sharing a line.
    const angle = 0.3 + (Math.PI * (2 * chunk + 1)) / cluster.chunks
    places.push(radiusOf(cluster) * Math.cos(angle), radiusOf(cluster) * Math.sin(angle))
  }
  return places
}

function coil(chunks: number): number[] {
  const places = [0, 0]
  // The first chunk stands above its document, whose label is at the right.
  const angle = Math.PI / 2
  let turned = 0
  for (let chunk = 0; chunk < chunks; chunk++) {
    const radius = room * (1.2 + turned / (2 * Math.PI))
    places.push(radius * Math.cos(angle + turned), radius * Math.sin(angle + turned))
    turned += room / radius
  }
  return places
}

/** Scales positions so that 97 % fit into the circle; outliers are moved onto its edge. */
function withinRadius(places: readonly number[], radius: number): number[] {
  const distances: number[] = []
  for (let i = 2; i < places.length; i += 2) distances.push(Math.hypot(places[i] ?? 0, places[i + 1] ?? 0))
  const reach = distances.toSorted((a, b) => a - b)[Math.floor(0.97 * (distances.length - 1))] || 1
  return places.map((place, i) => {
    const distance = i < 2 ? 0 : (distances[(i >> 1) - 1] ?? 0)
    return (place * radius) / Math.max(reach, distance)
  })
}

/** Packs circles without overlap: the largest first, each at the next free point of a spiral. */
function pack(radii: readonly number[], taken: readonly Circle[]): Circle[] {
  const placed: Circle[] = [...taken]
  const result: Circle[] = []
  const order = radii.map((_, index) => index).sort((a, b) => (radii[b] ?? 0) - (radii[a] ?? 0) || a - b)
  let along = 0
  for (const index of order) {
    const r = radii[index] ?? 0
    let circle = { x: 0, y: 0, r }
    for (; placed.some((other) => overlap(circle, other)); along += 1) {
      const angle = 1.1 * Math.sqrt(along)
      const radius = 4 * angle
      circle = { x: 1.4 * radius * Math.cos(angle), y: radius * Math.sin(angle), r }
    }
    placed.push(circle)
    result[index] = circle
  }
  return result
}

function overlap(a: Circle, b: Circle): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < a.r + b.r
}
