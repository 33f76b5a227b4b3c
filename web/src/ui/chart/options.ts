import uPlot from 'uplot'
import { resolveColour } from '../colour.ts'
import { durationSteps, durationTicks, largest, lonely, niceEnd, spread, stack, timeLabels } from './scale.ts'
import type { AxisUnit, ChartData, ChartKind, FormatValue } from './types.ts'

export interface PlotInput {
  data: ChartData
  kind: ChartKind
  format: FormatValue
  /** The largest possible value, if the unit has one: 1 for shares and scores. */
  atMost?: number | undefined
  /** Values are whole numbers. */
  whole?: boolean | undefined
  axis?: AxisUnit | undefined
  /** Ends the axis below values that would flatten the others. */
  cut?: number | undefined
  /** Writes the names of the series at the ends of their lines. */
  labelled?: boolean | undefined
}

const font = '11px system-ui, sans-serif'
const wholeSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat()

/** The rows for uPlot. Stacked bars are drawn from the top layer down, so that each bar covers the rest of the one before. */
export function rowsOf({ data, kind }: PlotInput): uPlot.AlignedData {
  const rows =
    kind === 'bars' ? stack(data.series).reverse() : data.series.map(({ values }) => values.slice())
  return [data.times.slice(), ...rows] as uPlot.AlignedData
}

function seriesOf({ data, kind }: PlotInput): uPlot.Series[] {
  const drawn = kind === 'bars' ? data.series.toReversed() : data.series
  return drawn.map(({ name, colour, dashed, width, values }) => {
    const stroke = resolveColour(colour)
    if (kind === 'bars') {
      const background = resolveColour('--background')
      return {
        label: name,
        fill: stroke,
        // A thin line separates the layers.
        stroke: background,
        width: data.times.length > 100 ? 0 : 1,
        points: { show: false },
        paths: uPlot.paths.bars?.({ align: 1, size: [0.86, 64, 1] }) as uPlot.Series.PathBuilder,
      }
    }
    const alone = lonely(values)
    return {
      label: name,
      stroke,
      width: width ?? 1.5,
      spanGaps: false,
      ...(dashed && { dash: [5, 3] }),
      points: { show: alone.length > 0, filter: alone, size: 4, fill: stroke, width: 0 },
    }
  })
}

export function optionsOf(input: PlotInput, size: { width: number; height: number }): uPlot.Options {
  const { data, kind, format, atMost, whole, axis: unit, cut, labelled } = input
  const text = resolveColour('--fg-3')
  const line = resolveColour('--line')
  const most = cut ?? largest(data, kind)
  const end = Math.max(niceEnd(whole ? Math.max(most, 1) : most), 1e-6)
  const top = atMost === undefined ? end : Math.min(end, atMost)
  const axis = { stroke: text, font, ticks: { show: false }, border: { show: false } } as const
  return {
    ...size,
    ms: 1,
    // The server groups by UTC days, so the ticks stand at UTC midnight.
    ...(data.utcDays && { tzDate: (time: number) => uPlot.tzDate(new Date(time), 'Etc/UTC') }),
    padding: [8, labelled ? labelWidth : 20, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: kind === 'lines', size: 6, width: 0 },
    },
    scales: {
      x: { range: () => [data.times[0] ?? 0, data.end] },
      y: { range: () => [0, top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 24,
        values: (_, splits) => timeLabels(splits, data.utcDays),
      },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        space: 34,
        gap: 6,
        ...(whole && { incrs: wholeSteps }),
        ...(unit === 'duration' && { incrs: durationSteps }),
        size: (_, labels) => 14 + 6.5 * Math.max(2, ...(labels ?? []).map((label) => label.length)),
        values: (_, splits) =>
          unit === 'duration' ? durationTicks(splits) : splits.map((value) => format(value)),
      },
    ],
    series: [{}, ...seriesOf(input)],
    hooks: { draw: [(chart) => drawOutliers(chart, input), (chart) => labelled && drawNames(chart, input)] },
  }
}

/** Marks values above the end of the axis with arrows at its top. */
function drawOutliers({ ctx, bbox, valToPos }: uPlot, { data, cut }: PlotInput): void {
  if (cut === undefined) return
  const scale = uPlot.pxRatio
  ctx.save()
  for (const { values, colour } of data.series) {
    ctx.fillStyle = resolveColour(colour)
    values.forEach((value, at) => {
      if (value === null || value <= cut) return
      const x = valToPos(data.times[at] ?? 0, 'x', true)
      ctx.beginPath()
      ctx.moveTo(x, bbox.top - 6 * scale)
      ctx.lineTo(x - 4 * scale, bbox.top)
      ctx.lineTo(x + 4 * scale, bbox.top)
      ctx.fill()
    })
  }
  ctx.restore()
}

const labelWidth = 40

/** Writes the name of each series beside its last value. */
function drawNames({ ctx, bbox, valToPos }: uPlot, { data }: PlotInput): void {
  const scale = uPlot.pxRatio
  const ends = data.series.flatMap(({ name, values }) => {
    const last = values.findLast((value) => value !== null)
    return last == null ? [] : [{ name, y: Math.max(bbox.top, valToPos(last, 'y', true)) }]
  })
  const places = spread(
    ends.map(({ y }) => y),
    12 * scale,
    bbox.top + bbox.height,
  )
  ctx.save()
  ctx.font = `${11 * scale}px system-ui, sans-serif`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillStyle = resolveColour('--fg-2')
  ends.forEach(({ name }, at) => {
    ctx.fillText(name, bbox.left + bbox.width + 6 * scale, places[at] ?? 0)
  })
  ctx.restore()
}
