import { Swatch } from './legend.tsx'
import { intervalLabel } from './scale.ts'
import type { ChartData, FormatValue } from './types.ts'

/** Width of the tooltip in pixels. */
const boxWidth = 220
/** Distance of the tooltip from the cursor in pixels. */
const gap = 12
/** The tooltip counts further series instead of showing them. */
const maxRows = 12

/**
 * The values of the series in one interval, beside the cursor: at most `maxRows`. Stacked charts with more than three
 * series leave out zeros and gaps.
 */
export function Tooltip({
  data,
  format,
  index,
  left,
  width,
  stacked,
  isClickable,
}: {
  data: ChartData
  format: FormatValue
  index: number
  left: number
  width: number
  stacked: boolean
  isClickable: boolean
}) {
  const start = data.times[index]
  if (start === undefined) return null
  // The tooltip stands on the side with more room.
  const beside = left < width / 2 ? left + gap : left - gap - boxWidth
  const rows = data.series.filter(({ values }) => !stacked || data.series.length <= 3 || values[index])
  const sum = stacked && data.series.length > 1 ? total(data, index) : undefined
  return (
    <div
      aria-hidden="true"
      data-tooltip
      className="pointer-events-none absolute top-1 z-10 rounded-md border bg-raised p-2 text-sm"
      style={{ width: boxWidth, left: Math.max(0, Math.min(beside, width - boxWidth)) }}
    >
      <p className="font-medium">{intervalLabel(start, data.utcDays)}</p>
      <table className="w-full">
        <tbody>
          {rows.slice(0, maxRows).map((series) => (
            <tr key={series.name}>
              <td className="w-4">
                <Swatch series={series} />
              </td>
              <td className="max-w-24 truncate text-fg-2">{series.name}</td>
              <td className="text-right tabular-nums">{format(series.values[index])}</td>
            </tr>
          ))}
          {sum !== undefined && (
            <tr>
              <td />
              <td className="text-fg-2">Total</td>
              <td className="text-right tabular-nums">{format(sum)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {rows.length > maxRows && <p className="text-fg-3">and {rows.length - maxRows} more</p>}
      {isClickable && <p className="text-fg-3">Click to open the traces</p>}
    </div>
  )
}

function total({ series }: ChartData, index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
}
