import { intervalLabel } from './scale.ts'
import { type ChartData, type FormatValue, intervalAt, type Picked } from './types.ts'

/** The values of a chart as a table, newest first. */
export function ChartTable({
  label,
  data,
  format,
  height,
  onPick,
}: {
  label: string
  data: ChartData
  format: FormatValue
  height: number
  onPick: ((picked: Picked) => void) | undefined
}) {
  const indexes = data.times.map((_, index) => index).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it too
    <div className="overflow-auto" style={{ height }} tabIndex={0}>
      <table aria-label={label} className="w-full text-sm [&_td]:h-6 [&_td]:px-2 [&_th]:h-6 [&_th]:px-2">
        <thead className="sticky top-0 bg-background text-fg-2">
          <tr>
            <th scope="col" className="text-left font-medium">
              {data.utcDays ? 'Time (UTC)' : 'Time'}
            </th>
            {data.series.map(({ name }) => (
              <th key={name} scope="col" className="max-w-40 truncate text-right font-medium" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => {
            const interval = intervalAt(data, index)
            const time = intervalLabel(interval.from, data.utcDays)
            return (
              <tr key={interval.from} className="hover:bg-hover">
                <th scope="row" className="border-t text-left font-normal whitespace-nowrap">
                  {onPick ? (
                    <button
                      type="button"
                      className="link h-6"
                      aria-label={`Traces of ${time}`}
                      onClick={() => onPick({ ...interval, series: undefined })}
                    >
                      {time}
                    </button>
                  ) : (
                    time
                  )}
                </th>
                {data.series.map(({ name, values }) => (
                  <td key={name} className="border-t text-right tabular-nums">
                    {format(values[index])}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
