import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { optionsOf, type PlotInput, rowsOf } from './options.ts'
import { stack } from './scale.ts'
import { Tooltip } from './tooltip.tsx'
import { intervalAt, type Picked } from './types.ts'
import { useThemeVersion } from './use-theme-version.ts'

export interface PlotProps extends PlotInput {
  height: number
  onPick: ((picked: Picked) => void) | undefined
}

interface Hovered {
  index: number
  /** Pixels from the left edge of the chart. */
  left: number
  /** Width of the chart in pixels. */
  width: number
}

/** The canvas that uPlot draws on, with a tooltip over it. */
export function Plot({ height, onPick, ...input }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<Hovered>()
  const theme = useThemeVersion()
  const pick = useRef(onPick)
  pick.current = onPick
  const { data, kind, format, atMost, whole, axis, cut, labelled } = input

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme redraws the chart in its colours
  useEffect(() => {
    const element = place.current
    if (!element) return
    const drawn: PlotInput = { data, kind, format, atMost, whole, axis, cut, labelled }
    const options = optionsOf(drawn, { width: element.clientWidth, height })
    const chart = new uPlot(
      {
        ...options,
        hooks: {
          ...options.hooks,
          setCursor: [
            (self) => {
              const index = indexUnder(self, drawn)
              if (index === undefined) setHovered(undefined)
              else
                setHovered({ index, left: self.over.offsetLeft + (self.cursor.left ?? 0), width: self.width })
            },
          ],
        },
      },
      rowsOf(drawn),
      element,
    )
    chart.over.addEventListener('click', () => {
      const index = indexUnder(chart, drawn)
      if (index === undefined) return
      pick.current?.({ ...intervalAt(data, index), series: seriesUnder(chart, drawn, index) })
    })
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
      setHovered(undefined)
    }
  }, [data, kind, format, atMost, whole, axis, cut, labelled, height, theme])

  return (
    <div
      ref={place}
      data-plot
      className={onPick ? 'relative w-full cursor-pointer' : 'relative w-full'}
      style={{ height }}
    >
      {hovered && (
        <Tooltip
          data={data}
          format={format}
          isClickable={Boolean(onPick)}
          {...hovered}
          stacked={kind === 'bars'}
        />
      )}
    </div>
  )
}

/** The index of the interval under the cursor: a bar begins at its time, a point of a line stands at its time. */
function indexUnder(chart: uPlot, { data, kind }: PlotInput): number | undefined {
  const left = chart.cursor.left ?? -1
  if (left < 0) return undefined
  if (kind === 'lines') return chart.cursor.idx ?? undefined
  const time = chart.posToVal(left, 'x')
  const index = data.times.findLastIndex((begin) => begin <= time)
  return index < 0 ? undefined : index
}

/** The layer of the stack under the cursor, or the nearest line within 16 pixels. */
function seriesUnder(chart: uPlot, { data, kind }: PlotInput, index: number): string | undefined {
  const top = chart.cursor.top ?? -1
  const value = chart.posToVal(top, 'y')
  if (kind === 'bars') {
    const layer = stack(data.series).findIndex((row) => value <= (row[index] ?? 0))
    return data.series[layer]?.name
  }
  let nearest: { name: string; distance: number } | undefined
  for (const { name, values } of data.series) {
    const at = values[index]
    if (at == null) continue
    const distance = Math.abs(chart.valToPos(at, 'y') - top)
    if (distance < (nearest?.distance ?? 16)) nearest = { name, distance }
  }
  return nearest?.name
}
