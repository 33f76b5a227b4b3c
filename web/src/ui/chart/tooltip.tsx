import { Swatch } from './legend.tsx'
import { stretchLabel } from './scale.ts'
import type { ChartData, FormatValue } from './types.ts'

/** Width of the tooltip, and its distance from the cursor, in pixels. */
const boxWidth = 220
const apart = 12
const shown = 12

/** The values of every series at one time, beside the cursor. */
export function Tooltip({
  data,
  format,
  index,
  left,
  width,
  stacked,
  picks,
}: {
  data: ChartData
  format: FormatValue
  index: number
  left: number
  width: number
  stacked: boolean
  picks: boolean
}) {
  const from = data.times[index]
  if (from === undefined) return null
  // The tooltip stands on the side with more room.
  const beside = left < width / 2 ? left + apart : left - apart - boxWidth
  const rows = data.series.filter(({ values }) => !stacked || data.series.length <= 3 || values[index])
  const sum = stacked && data.series.length > 1 ? total(data, index) : undefined
  return (
    <div
      aria-hidden="true"
      data-tooltip
      className="pointer-events-none absolute top-1 z-10 rounded-md border bg-raised p-2 text-sm"
      style={{ width: boxWidth, left: Math.max(0, Math.min(beside, width - boxWidth)) }}
    >
      <p className="font-medium">{stretchLabel(from, data.utc)}</p>
      <table className="w-full">
        <tbody>
          {rows.slice(0, shown).map((series) => (
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
      {rows.length > shown && <p className="text-fg-3">and {rows.length - shown} more</p>}
      {picks && <p className="text-fg-3">Click to open the traces</p>}
    </div>
  )
}

function total({ series }: ChartData, index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
}
