import { dayMs, hourMs, minuteMs } from './sums.ts'

/** Consecutive rollup buckets of one width. The bounds are multiples of the width, in epoch ms; the end is exclusive. */
export interface Segment {
  widthMs: number
  from: number
  to: number
}

/** A period in epoch milliseconds; the end is exclusive. */
export interface Span {
  from: number
  to: number
}

/**
 * A period as whole rollup buckets, and its two ends of less than a minute each. A period without a whole minute is one
 * end of less than two minutes.
 */
export interface Cover {
  segments: Segment[]
  edges: Span[]
}

const widths = [dayMs, hourMs, minuteMs]

/** Covers a period with the widest buckets that fit, up to the width `widestMs`. */
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
