import { dayMs, hourMs, minuteMs } from './sums.ts'

/** Rollup rows of one width; the bounds are multiples of it, the end is exclusive. */
export interface Segment {
  widthMs: number
  from: number
  to: number
}

export interface Span {
  from: number
  to: number
}

/**
 * A stretch of time as whole rollup rows and the rest at both ends. An end is shorter than a minute. A stretch without a whole
 * minute is one edge, shorter than two minutes.
 */
export interface Cover {
  segments: Segment[]
  edges: Span[]
}

const widths = [dayMs, hourMs, minuteMs]

/** Covers [from, to) with the widest rows that fit, none wider than `widestMs`. */
export function cover({ from, to }: Span, widestMs = dayMs): Cover {
  const result: Cover = { segments: [], edges: [] }
  fill(
    { from, to },
    widths.filter((width) => width <= widestMs),
    result,
  )
  return result
}

function fill(span: Span, [widthMs, ...narrower]: number[], result: Cover): void {
  if (span.from >= span.to) return
  if (widthMs === undefined) {
    result.edges.push(span)
    return
  }
  const from = Math.ceil(span.from / widthMs) * widthMs
  const to = Math.floor(span.to / widthMs) * widthMs
  if (from >= to) {
    fill(span, narrower, result)
    return
  }
  result.segments.push({ widthMs, from, to })
  fill({ from: span.from, to: from }, narrower, result)
  fill({ from: to, to: span.to }, narrower, result)
}
