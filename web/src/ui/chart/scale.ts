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
