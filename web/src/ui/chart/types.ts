/** One line, or one layer of the bars. */
export interface ChartSeries {
  name: string
  /** One for each stretch of time; null is a gap. */
  values: readonly (number | null)[]
  /** A colour of the theme for CSS, such as `var(--series-1)`. */
  colour: string
  /** Drawn with gaps, for a second series of the same colour. */
  dashed?: boolean
  /** Its number over the whole period, beside its name. */
  total?: number | null
}

/** Values over time, all series over the same stretches. */
export interface ChartData {
  /** Beginnings of the stretches in epoch milliseconds, ascending. */
  times: readonly number[]
  /** End of the last stretch, exclusive. */
  end: number
  /** Days and longer are those of UTC. */
  utc: boolean
  series: readonly ChartSeries[]
}

/** A stretch that was clicked, and the series that the click was nearest to. */
export interface Picked {
  from: number
  to: number
  series: string | undefined
}

export type ChartKind = 'lines' | 'bars'

/** How the values are written: with their unit. */
export type FormatValue = (value: number | null | undefined) => string

export function stretchAt({ times, end }: ChartData, index: number): { from: number; to: number } {
  const from = times[index] ?? end
  return { from, to: times[index + 1] ?? end }
}
