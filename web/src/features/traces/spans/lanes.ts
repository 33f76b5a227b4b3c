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

/**
 * Drops spans that would cover or touch a drawn one within `least`, so that the number in a lane stays bounded. The selected
 * span is kept.
 */
export function drawnLanes(lanes: readonly Lane[], least: number, selected: number | undefined): Lane[] {
  const drawn = new Map<number, Lane>()
  return lanes.filter((one) => {
    const last = drawn.get(one.lane)
    const isClose = last !== undefined && one.from - last.from < least
    // Spans of one lane overlap only if there are too many lanes.
    const isHidden = isClose && (one.to - one.from < least || one.from < last.to)
    if (isHidden && one.node.at !== selected) return false
    drawn.set(one.lane, one)
    return true
  })
}
