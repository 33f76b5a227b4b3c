/** One line, or one layer of the bars. */
export interface ChartSeries {
  name: string
  /** One value for each interval; null is a gap. */
  values: readonly (number | null)[]
  /** A colour of the theme for CSS, such as `var(--series-1)`. */
  colour: string
  /** Drawn as a dashed line, to tell two series of one colour apart. */
  dashed?: boolean
  /** Width of the line in pixels; 1.5 by default. */
  width?: number
  /** The value for the whole period, shown in the legend. */
  total?: number | null
}

/** Values over time; all series share the same intervals. */
export interface ChartData {
  /** Beginnings of the intervals in epoch milliseconds, ascending. */
  times: readonly number[]
  /** End of the last interval, exclusive. */
  end: number
  /** The intervals are UTC days or longer. */
  utcDays: boolean
  series: readonly ChartSeries[]
}

/** A clicked interval, and the series nearest to the click. */
export interface Picked {
  from: number
  to: number
  series: string | undefined
}

export type ChartKind = 'lines' | 'bars'

/** How the values of an axis are written: with the format of a value each, or as durations in one unit. */
export type AxisUnit = 'value' | 'duration'

/** Formats a value with its unit. */
export type FormatValue = (value: number | null | undefined) => string

export function intervalAt({ times, end }: ChartData, index: number): { from: number; to: number } {
  const from = times[index] ?? end
  return { from, to: times[index + 1] ?? end }
}
