import type { SpanNode, SpanTree } from './tree.ts'

/** More lanes share the last one. */
const mostLanes = 200

export interface Lane {
  node: SpanNode
  lane: number
  from: number
  to: number
}

/**
 * Places every span that has times in a lane: below its parent, and beside no other span of the same time. Ordered by
 * start.
 */
export function lanesOf({ nodes }: SpanTree): Lane[] {
  const order = new Map(nodes.map((node, place) => [node, place]))
  const timed = nodes.flatMap((node) =>
    node.from === null || node.to === null ? [] : { node, lane: 0, from: node.from, to: node.to },
  )
  timed.sort((a, b) => a.from - b.from || (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0))
  const placed = new Map<SpanNode, number>()
  const ends: number[] = []
  for (const one of timed) {
    const above = one.node.parent && placed.get(one.node.parent)
    let lane = above === undefined ? 0 : above + 1
    while (lane < mostLanes - 1 && (ends[lane] ?? Number.NEGATIVE_INFINITY) > one.from) lane++
    one.lane = Math.min(lane, mostLanes - 1)
    ends[one.lane] = Math.max(ends[one.lane] ?? one.to, one.to)
    placed.set(one.node, one.lane)
  }
  return timed
}

/** Drops spans that would be narrower than `least` and lie beside a drawn one, so that their number stays bounded. */
export function drawnLanes(lanes: readonly Lane[], least: number, selected: number | undefined): Lane[] {
  const ends = new Map<number, number>()
  return lanes.filter(({ node, lane, from, to }) => {
    const end = ends.get(lane)
    if (node.at !== selected && end !== undefined && to - from < least && from - end < least) return false
    ends.set(lane, Math.max(end ?? to, to))
    return true
  })
}
