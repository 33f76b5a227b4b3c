import { Swatch } from './legend.tsx'
import { stretchLabel } from './scale.ts'
import type { ChartData, FormatValue } from './types.ts'

const width = 220
const shown = 12

/** Every series at one time, beside the cursor. */
export function Tooltip({
  data,
  format,
  index,
  left,
  stacked,
  picks,
}: {
  data: ChartData
  format: FormatValue
  index: number
  left: number
  stacked: boolean
  picks: boolean
}) {
  const from = data.times[index]
  if (from === undefined) return null
  const rows = data.series.filter(({ values }) => !stacked || data.series.length <= 3 || values[index])
  const sum = stacked && data.series.length > 1 ? total(data, index) : undefined
  return (
    <div
      aria-hidden="true"
      data-tooltip
      className="pointer-events-none absolute top-1 z-10 rounded-md border bg-raised p-2 text-sm"
      style={{ width, left: `clamp(0px, calc(${left}px + 12px), calc(100% - ${width}px))` }}
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
              <td className="text-fg-2">Together</td>
              <td className="text-right tabular-nums">{format(sum)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {rows.length > shown && <p className="text-fg-3">and {rows.length - shown} more</p>}
      {picks && <p className="text-fg-3">Click opens the traces</p>}
    </div>
  )
}

function total({ series }: ChartData, index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
}
