import type { ScoreAverages, Timeseries } from '@cairn/sdk'
import type { ChartData, ChartSeries } from '../../ui/chart/types.ts'
import { colourOf, seriesOf } from '../../ui/colour.ts'

type Series = Timeseries['series'][number]

/** The values of one series, with a gap for intervals without traces. */
export function valuesOf(series: Series | undefined, traces?: Series): (number | null)[] {
  return (series?.points ?? []).map(({ value }, at) => (traces && !traces.points[at]?.value ? null : value))
}

/** The intervals of a response. */
export function frameOf({ series, interval, period_start, period_end }: Timeseries) {
  const points = series[0]?.points ?? []
  const utcDays = interval !== 'minute' && interval !== 'hour'
  const times = points.map(({ timestamp }) => Date.parse(timestamp))
  return {
    times: times.length > 0 ? times : [Date.parse(period_start)],
    end: Date.parse(period_end),
    utcDays,
  }
}

/** The colour of a name, the same everywhere. Further series of that colour in one chart are dashed and paler. */
export function styleOf(name: string, names: readonly string[]): Pick<ChartSeries, 'colour' | 'dashed'> {
  const before = names.slice(0, names.indexOf(name))
  const taken = before.filter((other) => seriesOf(other) === seriesOf(name)).length
  return { colour: strength(colourOf(name), [100, 55][taken] ?? 30), dashed: taken > 0 }
}

/** How a metric is totalled: as a sum, or as an average weighted by traces. */
type Totals = 'sum' | 'by traces'

function totalOf(values: readonly (number | null)[], traces: readonly number[], totals: Totals) {
  let sum = 0
  let weight = 0
  values.forEach((value, at) => {
    if (value === null) return
    const weighs = totals === 'sum' ? 1 : (traces[at] ?? 0)
    sum += value * weighs
    weight += weighs
  })
  if (totals === 'sum') return sum
  return weight === 0 ? null : sum / weight
}

/** A metric by group. Averages have a gap in intervals without traces. */
export function groupedData(metric: Timeseries, traces: Timeseries, totals: Totals): ChartData {
  const names = metric.series.map(({ group }) => group ?? '')
  const series = metric.series.map((one) => {
    const name = one.group ?? ''
    const counted = traces.series.find(({ group }) => group === one.group)
    const values = totals === 'sum' ? valuesOf(one) : valuesOf(one, counted)
    const weights = counted?.points.map(({ value }) => value) ?? []
    return { name, values, ...styleOf(name, names), total: totalOf(values, weights, totals) }
  })
  return { ...frameOf(metric), series }
}

/** Average scores by name; intervals without scores are gaps. */
export function scoreData(averages: ScoreAverages, frame: Omit<ChartData, 'series'>): ChartData {
  const names = averages.scores.map(({ name }) => name)
  const series = averages.scores.map(({ name, average, points }) => {
    const byTime = new Map(points.map((point) => [Date.parse(point.timestamp), point.average]))
    return {
      name,
      values: frame.times.map((time) => byTime.get(time) ?? null),
      ...styleOf(name, names),
      total: average,
    }
  })
  return { ...frame, series }
}

/** A colour mixed with the background; `percent` is the share of the colour. */
export function strength(colour: string, percent: number): string {
  return percent === 100 ? colour : `color-mix(in srgb, ${colour} ${percent}%, var(--background))`
}
