import type { ChartSeries, FormatValue } from './types.ts'

/** A sample of the line or bar of a series. */
export function Swatch({ series: { colour, dashed } }: { series: ChartSeries }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block h-0 w-2.5 shrink-0 border-t-3 align-middle"
      style={{ borderTopColor: colour, borderTopStyle: dashed ? 'dotted' : 'solid' }}
    />
  )
}

/** The names of the series, with their totals over the period. */
export function Legend({ series, format }: { series: readonly ChartSeries[]; format: FormatValue }) {
  return (
    <ul className="flex max-h-10 flex-wrap gap-x-4 overflow-y-auto text-sm" aria-label="Series">
      {series.map((one) => (
        <li key={one.name} className="flex min-w-0 items-center gap-1.5">
          <Swatch series={one} />
          <span className="max-w-40 truncate text-fg-2" title={one.name}>
            {one.name}
          </span>
          {one.total !== undefined && <span className="tabular-nums">{format(one.total)}</span>}
        </li>
      ))}
    </ul>
  )
}
