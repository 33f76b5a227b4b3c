import { CairnError, type Interval } from '@cairn/contract'
import { dayMs, floorTo, hourMs, minuteMs, type Span } from '../rollups/index.ts'
import type { TraceConditions } from '../traces/index.ts'

const defaultPeriodMs = 30 * dayMs
/** Maximum number of points of one series. */
const maxPoints = 2000
const weekMs = 7 * dayMs
/** The first Monday after the epoch, which was a Thursday. */
const firstMonday = 4 * dayMs

/** The period of a summary: by default the last 30 days up to now. */
export function periodOf({ startMs, endMs }: TraceConditions): Span {
  // The end is exclusive, and the newest trace may be created in this millisecond.
  const to = endMs ?? Math.max(Date.now() + 1, startMs ?? 0)
  return { from: startMs ?? to - defaultPeriodMs, to }
}

/** The width in milliseconds of the rollups that an interval is summed from. */
export const baseWidths: Record<Interval, number> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: dayMs,
  month: dayMs,
}

/** The start of the month of a time, or of a month after it. `Date.UTC` is not used: it reads the year 50 as 1950. */
function monthOf(ms: number, monthsAfter: number): number {
  const date = new Date(floorTo(ms, dayMs))
  return date.setUTCMonth(date.getUTCMonth() + monthsAfter, 1)
}

/** The start of the interval that contains a time, in UTC. */
export function bucketOf(interval: Interval, ms: number): number {
  if (interval === 'month') return monthOf(ms, 0)
  if (interval === 'week') return floorTo(ms - firstMonday, weekMs) + firstMonday
  return floorTo(ms, baseWidths[interval])
}

function nextBucket(interval: Interval, bucket: number): number {
  if (interval === 'month') return monthOf(bucket, 1)
  return bucket + (interval === 'week' ? weekMs : baseWidths[interval])
}

/** The interval of a chart if the caller names none: short enough for detail, and few enough points for a chart. */
export function fittingInterval({ from, to }: Span): Interval {
  const length = to - from
  if (length <= 6 * hourMs) return 'minute'
  if (length <= 7 * dayMs) return 'hour'
  if (length <= 180 * dayMs) return 'day'
  return length <= 1000 * weekMs ? 'week' : 'month'
}

/**
 * The starts of all intervals that overlap a period.
 * @throws `invalid_request` for more than 2,000 intervals
 */
export function bucketsOf(interval: Interval, { from, to }: Span): number[] {
  const buckets: number[] = []
  for (let at = bucketOf(interval, from); at < to; at = nextBucket(interval, at)) {
    buckets.push(at)
    if (buckets.length > maxPoints) {
      throw new CairnError('invalid_request', `interval ${interval} gives too many points over this period`)
    }
  }
  return buckets
}
