import { ChartLine, Table2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { IconButton } from '../button.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { ErrorNotice } from '../states/error-notice.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import { ChartTable } from './chart-table.tsx'
import { Legend } from './legend.tsx'
import { cutAbove, largest } from './scale.ts'
import type { AxisUnit, ChartData, ChartKind, FormatValue, Picked } from './types.ts'

// uPlot loads with the first chart, so that screens without charts stay small.
const plot = lazyComponent(() => import('./plot.tsx').then(({ Plot }) => Plot))

/** A chart and its texts; `data` is undefined while it loads. */
export interface ChartProps {
  title: string
  /** A note beside the title, such as `per hour`. */
  note?: string
  kind: ChartKind
  data: ChartData | undefined
  format: FormatValue
  /** The largest possible value, if the unit has one: 1 for shares and scores. */
  atMost?: number
  /** Values are whole numbers. */
  whole?: boolean
  axis?: AxisUnit
  /** Ends the axis below outliers that would flatten the other values, and says so. */
  cutsOutliers?: boolean
  /** Writes the names of the series at the ends of their lines, instead of a legend. */
  labelled?: boolean
  height?: number
  /** Shown if there are no values. */
  empty?: ReactNode
  error?: unknown
  retry?: () => void
  actions?: ReactNode
  onPick?: (picked: Picked) => void
}

/** A chart over time with heading and legend; a button shows the same data as a table. */
export function Chart({ title, note, actions, ...props }: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  const { data, format, height = 180, error, retry, kind, labelled, cutsOutliers } = props
  const cut = useMemo(() => (cutsOutliers && data ? cutAbove(data) : undefined), [cutsOutliers, data])
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5" data-chart={title}>
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h2 className="truncate font-semibold">
          {title} {note && <span className="font-normal text-fg-3">{note}</span>}
        </h2>
        <div className="flex items-center gap-1">
          {actions}
          <IconButton
            label={asTable ? `Show ${title} as chart` : `Show ${title} as table`}
            disabled={!data}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartLine size={14} /> : <Table2 size={14} />}
          </IconButton>
        </div>
      </div>
      {error ? (
        <div style={{ height }}>
          <ErrorNotice error={error} title={`${title} could not be loaded`} retry={retry} />
        </div>
      ) : (
        <ChartBody {...props} title={title} height={height} asTable={asTable} cut={cut} />
      )}
      <div className="min-h-5 text-sm">
        {data && !error && (!labelled || asTable) && <Legend series={data.series} format={format} />}
        {cut !== undefined && data && !asTable && (
          <p className="text-fg-3">
            Arrows mark values beyond the axis, up to {format(largest(data, kind))}.
          </p>
        )}
      </div>
    </section>
  )
}

function ChartBody({
  title,
  data,
  kind,
  format,
  atMost,
  whole,
  height,
  empty,
  axis,
  cut,
  labelled,
  asTable,
  onPick,
}: Omit<ChartProps, 'actions' | 'note'> & { height: number; asTable: boolean; cut: number | undefined }) {
  const waiting = (
    <div role="status" aria-label={`Loading ${title}`} style={{ height }}>
      <Skeleton className="h-full w-full opacity-50" />
    </div>
  )
  if (!data) return waiting
  if (data.series.every(({ values }) => values.every((value) => value === null))) {
    return (
      <div className="flex items-center justify-center rounded-md border border-dashed" style={{ height }}>
        <div className="max-w-64 text-center text-fg-3">{empty ?? 'No data in this period'}</div>
      </div>
    )
  }
  if (asTable) {
    return <ChartTable label={title} data={data} format={format} height={height} onPick={onPick} />
  }
  return (
    <div
      role="img"
      aria-label={`${title}: ${data.series.length} series, up to ${format(largest(data, kind))}`}
    >
      <plot.Component
        {...{ data, kind, format, atMost, whole, axis, cut, labelled, height, onPick }}
        fallback={waiting}
      />
    </div>
  )
}
