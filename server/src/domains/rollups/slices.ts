import { CairnError } from '@cairn/contract'
import type { Span } from './cover.ts'
import { type Dimension, hourMs } from './increments.ts'
import type { RollupStore } from './store.ts'

/** Traces that one statement of a scan looks at, about: other requests get their turn in between. */
const perSlice = 25_000

/** Ends a scan that takes too long. */
export class Deadline {
  readonly #at: number

  constructor(ms: number) {
    this.#at = performance.now() + ms
  }

  /** Throws `invalid_request` once the time is over. */
  check(): void {
    if (performance.now() < this.#at) return
    throw new CairnError(
      'invalid_request',
      'these filters take too long over this period; narrow it with start_date and end_date',
    )
  }
}

/** The dimension that bounds what a scan has to look at. */
export interface SlicedBy {
  dimension: Dimension
  value: string
}

/**
 * Cuts a stretch of time into slices with about as many traces each, newest first, by the hourly rollups. Where
 * there are no traces there is no slice.
 */
export async function planSlices(
  rollups: Pick<RollupStore, 'counts'>,
  projectId: string,
  by: SlicedBy,
  span: Span,
): Promise<Span[]> {
  const hours = await rollups.counts(projectId, by, {
    widthMs: hourMs,
    from: Math.floor(span.from / hourMs) * hourMs,
    to: span.to,
  })
  const slices: Span[] = []
  let inSlice = Number.POSITIVE_INFINITY
  for (const { bucket, traces } of hours.toReversed()) {
    const last = slices.at(-1)
    if (last && inSlice + traces <= perSlice) {
      last.from = Math.max(bucket, span.from)
      inSlice += traces
    } else {
      slices.push({ from: Math.max(bucket, span.from), to: Math.min(bucket + hourMs, span.to) })
      inSlice = traces
    }
  }
  return slices
}
