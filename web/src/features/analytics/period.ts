import type { Interval } from '@cairn/sdk'
import { type PeriodName, periodNames, periods } from '../../shared/filters/periods.ts'
import { oneOf } from '../../shared/search-params.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The chart interval of each period. */
const intervals: Record<PeriodName, Interval> = {
  '1h': 'minute',
  '24h': 'hour',
  '7d': 'hour',
  '30d': 'day',
  '90d': 'day',
}
export const defaultPeriod: PeriodName = '7d'

/** ISO 8601 times, as in a query of the API. */
export interface DateRange {
  start_date: string
  end_date: string
}

/** A chosen period, as the charts and figures use it. */
export interface ChartPeriod {
  /** Undefined for a custom period. */
  preset: PeriodName | undefined
  interval: Interval
  /** The whole period to the end of its last interval, for charts. */
  whole: DateRange
  /** The elapsed part of the period, and the same part of the period before, for comparison. */
  elapsed: DateRange
  before: DateRange
}

/** Milliseconds of an interval; an approximation for a month. */
const widths: Record<Interval, number> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
}

function rangeOf(from: number, to: number): DateRange {
  return { start_date: new Date(from).toISOString(), end_date: new Date(to).toISOString() }
}

/** The finest interval whose number of points fits a chart. */
function fittingInterval(length: number): Interval {
  if (length <= 3 * hourMs) return 'minute'
  if (length <= 7 * dayMs) return 'hour'
  if (length <= 180 * dayMs) return 'day'
  return length <= 1000 * 7 * dayMs ? 'week' : 'month'
}

interface Chosen {
  period?: string | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/**
 * The period of an address. `minute` is the end of the current minute in epoch milliseconds, so that a screen sends new queries
 * once a minute.
 */
export function periodOf(chosen: Chosen, minute: number, fallback = defaultPeriod): ChartPeriod {
  const from = Date.parse(chosen.start_date ?? '')
  const to = chosen.end_date === undefined ? minute : Date.parse(chosen.end_date)
  if (from < to) {
    const until = Math.min(to, Math.max(minute, from + 1))
    return {
      preset: undefined,
      interval: fittingInterval(to - from),
      whole: rangeOf(from, to),
      elapsed: rangeOf(from, until),
      before: rangeOf(2 * from - to, until - (to - from)),
    }
  }
  const preset = oneOf(periodNames, chosen.period) ?? fallback
  const { ms } = periods[preset]
  const interval = intervals[preset]
  const width = widths[interval]
  const end = Math.ceil(minute / width) * width
  return {
    preset,
    interval,
    whole: rangeOf(end - ms, end),
    elapsed: rangeOf(end - ms, minute),
    before: rangeOf(end - 2 * ms, minute - ms),
  }
}
