import { MultiUndirectedGraph } from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'

/** A document and its chunks, which are numbered 1 to `chunks`; 0 is the document. */
export interface Cluster {
  chunks: number
  /** From, to and weight of each relationship inside of it, one behind the other. */
  links: readonly number[]
}

export interface Circle {
  x: number
  y: number
  r: number
}

/** Room of a chunk. */
const room = 10
const gap = 14

/**
 * Where everything stands: x and y of each document, followed by those of its chunks. The same clusters always get the
 * same places. Circles are taken already.
 */
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

/** Chunks begin on a coil around their document, in order, and are then drawn to those they have to do with. */
function shapeOf(cluster: Cluster): number[] {
  if (cluster.chunks <= 8) return ring(cluster)
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

/** A few chunks stand all the way round; the name, right of the document, comes between the first and the last. */
function ring(cluster: Cluster): number[] {
  const places = [0, 0]
  for (let chunk = 0; chunk < cluster.chunks; chunk++) {
    // Turned a little, so that two names stand less often in one line.
    const angle = 0.3 + (Math.PI * (2 * chunk + 1)) / cluster.chunks
    places.push(radiusOf(cluster) * Math.cos(angle), radiusOf(cluster) * Math.sin(angle))
  }
  return places
}

function coil(chunks: number): number[] {
  const places = [0, 0]
  // The first one stands above its document, beside which is the name.
  const angle = Math.PI / 2
  let turned = 0
  for (let chunk = 0; chunk < chunks; chunk++) {
    const radius = room * (1.2 + turned / (2 * Math.PI))
    places.push(radius * Math.cos(angle + turned), radius * Math.sin(angle + turned))
    turned += room / radius
  }
  return places
}

/** Scaled so that nearly all fit into the circle; those that stray further are put on its edge. */
function withinRadius(places: readonly number[], radius: number): number[] {
  const distances: number[] = []
  for (let i = 2; i < places.length; i += 2) distances.push(Math.hypot(places[i] ?? 0, places[i + 1] ?? 0))
  const reach = distances.toSorted((a, b) => a - b)[Math.floor(0.97 * (distances.length - 1))] || 1
  return places.map((place, i) => {
    const distance = i < 2 ? 0 : (distances[(i >> 1) - 1] ?? 0)
    return (place * radius) / Math.max(reach, distance)
  })
}

/** Circles without overlap, the large ones in the middle: each at the next free place of a spiral. */
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
