import type { ChartData, ChartKind, ChartSeries } from './types.ts'

/** Running sums over the series, for stacked bars; a gap counts as 0. */
export function stack(series: readonly ChartSeries[]): number[][] {
  const rows: number[][] = []
  for (const { values } of series) {
    const below = rows.at(-1)
    rows.push(values.map((value, at) => (value ?? 0) + (below?.[at] ?? 0)))
  }
  return rows
}

/** The largest drawn value; 0 if there are none. */
export function largest({ series }: ChartData, kind: ChartKind): number {
  const rows = kind === 'bars' ? stack(series).slice(-1) : series.map(({ values }) => values)
  let most = 0
  for (const row of rows) for (const value of row) if (value !== null && value > most) most = value
  return most
}

/** The end of an axis that begins at 0: a round number at or above the largest value. */
export function niceEnd(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= most * (1 - 1e-12)) ?? 10
  return step * power
}

/**
 * The largest value that a chart shows if a few outliers would flatten the rest: then they are more than three times as
 * large as the values below the 95th percentile. Undefined if the whole range is shown.
 */
export function cutAbove({ series }: ChartData): number | undefined {
  const values = series
    .flatMap((one) => one.values)
    .filter((value) => value !== null)
    .sort((a, b) => a - b)
  const most = values.at(-1) ?? 0
  const usual = values[Math.ceil(values.length * 0.95) - 1] ?? 0
  return values.length >= 20 && usual > 0 && most > 3 * usual ? usual * 1.25 : undefined
}

const minuteMs = 60_000

/** Steps of a time axis in milliseconds: decimal up to seconds, then parts of a minute and of an hour. */
export const durationSteps: number[] = [
  ...[0, 1, 2, 3].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power)),
  ...[10_000, 15_000, 30_000],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1440, 2880, 7200, 14_400].map((n) => n * minuteMs),
]

/** Labels of an axis of durations, all in one unit: `500 ms`, `1.5 s` or `2 min`. */
export function durationTicks(values: readonly number[]): string[] {
  const most = Math.max(0, ...values)
  const [unit, ms] =
    most < 1000
      ? (['ms', 1] as const)
      : most < 2 * minuteMs
        ? (['s', 1000] as const)
        : (['min', minuteMs] as const)
  const digits = [0, 1, 2].find((n) => values.every((value) => isRound((value / ms) * 10 ** n))) ?? 2
  return values.map((value) => `${(value / ms).toFixed(digits)} ${unit}`)
}

const isRound = (value: number) => Math.abs(value - Math.round(value)) < 1e-6

/** The middles of labels of a given height that do not overlap, in the order of `wanted`, close to the wanted places. */
export function spread(wanted: readonly number[], height: number, end: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const places = [...wanted]
  let least = Number.NEGATIVE_INFINITY
  for (const at of order) {
    places[at] = Math.max(places[at] ?? 0, least)
    least = (places[at] ?? 0) + height
  }
  let most = end
  for (const at of order.toReversed()) {
    places[at] = Math.min(places[at] ?? 0, most)
    most = (places[at] ?? 0) - height
  }
  return places
}

/** Indexes of values without a neighbour: a line alone would not show them. */
export function lonely(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, at) =>
    value !== null && values[at - 1] == null && values[at + 1] == null ? [at] : [],
  )
}

const clock = { hour: 'numeric', minute: '2-digit' } as const
const date = { month: 'short', day: 'numeric' } as const

/** Labels of a time axis: clock times within a day, a date where a day begins, and dates alone in longer periods. */
export function timeLabels(times: readonly number[], utcDays: boolean): string[] {
  const zone = utcDays ? { timeZone: 'UTC' } : {}
  const dates = new Intl.DateTimeFormat(undefined, { ...date, ...zone })
  const clocks = new Intl.DateTimeFormat(undefined, { ...clock, ...zone })
  const apart = (times[1] ?? 0) - (times[0] ?? 0)
  if (utcDays || apart >= 12 * 3_600_000) return times.map((time) => dates.format(time))
  let day = ''
  return times.map((time) => {
    const today = dates.format(time)
    const isNew = day !== '' && today !== day
    day = today
    return isNew ? today : clocks.format(time)
  })
}

/** An interval as a heading: a date with its clock time, or a date alone for UTC days or longer intervals. */
export function intervalLabel(start: number, utcDays: boolean): string {
  const zone = utcDays ? { timeZone: 'UTC' } : {}
  const options = { weekday: 'short', ...date, ...(utcDays ? { year: 'numeric' as const } : clock) } as const
  return new Intl.DateTimeFormat(undefined, { ...options, ...zone }).format(start)
}
