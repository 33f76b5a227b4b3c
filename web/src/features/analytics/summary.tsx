import { useQuery } from '@tanstack/react-query'
import { type Better, Change } from '../../ui/change.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { formatCompact, formatDuration, formatMoney, formatShare, unpricedText } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { figuresQuery, type View } from './queries.ts'

type Totals = NonNullable<ReturnType<typeof useTotals>['now']>

/** The figures of a period and of the period before. */
function useTotals({ projectId, filters, period }: Omit<View, 'groupBy'>) {
  const now = useQuery(figuresQuery(projectId, filters, period.elapsed, period.interval))
  const before = useQuery(figuresQuery(projectId, filters, period.before, period.interval))
  return { now: now.data, before: before.data, error: now.error, retry: now.refetch }
}

const rateOf = ({ failed, total_queries: all }: Totals) => (all === 0 ? null : failed / all)
/** The API sends 0 if no trace has a latency. */
const msOf = (ms: number) => (ms === 0 ? null : ms)

interface FigureOf {
  label: string
  of: (totals: Totals) => number | null
  format: (value: number | null | undefined) => string
  better: Better
  /** A note below the figure. */
  note?: (totals: Totals) => string | undefined
}

export const figures = [
  { label: 'Traces', of: (t: Totals) => t.total_queries, format: formatCompact, better: 'neither' },
  { label: 'Error rate', of: rateOf, format: formatShare, better: 'less' },
  {
    label: 'Latency p50',
    of: (t: Totals) => msOf(t.p50_latency_ms),
    format: formatDuration,
    better: 'less',
  },
  {
    label: 'Latency p95',
    of: (t: Totals) => msOf(t.p95_latency_ms),
    format: formatDuration,
    better: 'less',
  },
  {
    label: 'Cost',
    // Without any known price, the sum would be a false zero.
    of: (t: Totals) => (t.unpriced_traces > 0 && t.unpriced_traces === t.total_queries ? null : t.total_cost),
    format: formatMoney,
    better: 'neither',
    note: (t: Totals) => unpricedText(t.unpriced_traces),
  },
  { label: 'Tokens', of: (t: Totals) => t.tokens, format: formatCompact, better: 'neither' },
] as const satisfies readonly FigureOf[]

/** The figures of a period, compared with the period before. */
export function Summary({ view, figures: shown = figures }: { view: View; figures?: readonly FigureOf[] }) {
  const { now, before, error, retry } = useTotals(view)
  if (error) return <ErrorNotice error={error} title="The figures could not be loaded" retry={retry} />
  return (
    <Figures label="Figures of the period">
      {shown.map(({ label, of, format, better, note }: FigureOf) => (
        <Figure
          key={label}
          label={label}
          value={now && format(of(now))}
          change={now && before ? <Compared {...{ now, before, of, format, better }} /> : null}
          note={now && note?.(now)}
        />
      ))}
    </Figures>
  )
}

/** The change of a figure since the period before. */
function Compared({
  now,
  before,
  of,
  format,
  better,
}: { now: Totals; before: Totals } & Pick<FigureOf, 'of' | 'format' | 'better'>) {
  if (before.total_queries === 0) return <>no traces before</>
  return (
    <>
      <Change now={of(now)} before={of(before)} better={better} format={format} />
      {`from ${format(of(before))}`}
    </>
  )
}
