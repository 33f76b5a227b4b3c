import type { Interval } from '@cairn/sdk'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Periods up to now, with the interval that their charts have. */
export const presets = {
  '1h': { title: 'Last hour', ms: hourMs, interval: 'minute' },
  '24h': { title: 'Last 24 hours', ms: dayMs, interval: 'hour' },
  '7d': { title: 'Last 7 days', ms: 7 * dayMs, interval: 'hour' },
  '30d': { title: 'Last 30 days', ms: 30 * dayMs, interval: 'day' },
  '90d': { title: 'Last 90 days', ms: 90 * dayMs, interval: 'day' },
} as const satisfies Record<string, { title: string; ms: number; interval: Interval }>
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]
const defaultPreset: Preset = '7d'

export interface Span {
  start_date: string
  end_date: string
}

export interface Period {
  /** Undefined for one of one's own choice. */
  preset: Preset | undefined
  title: string
  interval: Interval
  /** The whole period, to the end of its last interval: what charts show. */
  span: Span
  /** As much of it as has gone by, and the same stretch of the period before: what is compared. */
  now: Span
  before: Span
}

const widths: Record<Interval, number> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
}

function spanOf(from: number, to: number): Span {
  return { start_date: new Date(from).toISOString(), end_date: new Date(to).toISOString() }
}

/** The finest interval that gives a chart no more points than it has room for. */
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

/** What an address asks for; `minute` is the end of the current minute, so that a screen asks once a minute at most. */
export function periodOf(chosen: Chosen, minute: number, fallback: Preset = defaultPreset): Period {
  const from = Date.parse(chosen.start_date ?? '')
  const to = chosen.end_date === undefined ? minute : Date.parse(chosen.end_date)
  if (from < to) {
    const until = Math.min(to, Math.max(minute, from + 1))
    return {
      preset: undefined,
      title: 'Chosen period',
      interval: fittingInterval(to - from),
      span: spanOf(from, to),
      now: spanOf(from, until),
      before: spanOf(2 * from - to, until - (to - from)),
    }
  }
  const preset = presetNames.find((name) => name === chosen.period) ?? fallback
  const { title, ms, interval } = presets[preset]
  const width = widths[interval]
  const end = Math.ceil(minute / width) * width
  return {
    preset,
    title,
    interval,
    span: spanOf(end - ms, end),
    now: spanOf(end - ms, minute),
    before: spanOf(end - 2 * ms, minute - ms),
  }
}
