import { useQuery } from '@tanstack/react-query'
import { Change } from '../../ui/change.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { formatCompact, formatDuration, formatMoney, formatShare } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { figuresQuery, type View } from './queries.ts'

type Totals = NonNullable<ReturnType<typeof useTotals>['now']>

/** The numbers of a period, and of the period before it. */
function useTotals({ projectId, filters, period }: Omit<View, 'group'>) {
  const now = useQuery(figuresQuery(projectId, filters, period.now, period.interval))
  const before = useQuery(figuresQuery(projectId, filters, period.before, period.interval))
  return { now: now.data, before: before.data, error: now.error, retry: now.refetch }
}

const rateOf = ({ failed, total_queries: all }: Totals) => (all === 0 ? null : failed / all)
/** The API has 0 where no trace carries a latency. */
const msOf = (ms: number) => (ms === 0 ? null : ms)

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
  { label: 'Cost', of: (t: Totals) => t.total_cost, format: formatMoney, better: 'neither' },
  { label: 'Tokens', of: (t: Totals) => t.tokens, format: formatCompact, better: 'neither' },
] as const

/** The numbers of the period against those of the period before. */
export function Summary({
  view,
  figures: shown = figures,
}: {
  view: View
  figures?: readonly (typeof figures)[number][]
}) {
  const { now, before, error, retry } = useTotals(view)
  if (error) return <ErrorNotice error={error} title="The numbers could not be loaded" retry={retry} />
  return (
    <Figures label="Numbers of the period">
      {shown.map(({ label, of, format, better }) => (
        <Figure
          key={label}
          label={label}
          value={now && format(of(now))}
          change={now && before ? <Compared {...{ now, before, of, format, better }} /> : null}
        />
      ))}
    </Figures>
  )
}

/** How a number moved, and where from. */
function Compared({
  now,
  before,
  of,
  format,
  better,
}: { now: Totals; before: Totals } & Pick<(typeof figures)[number], 'of' | 'format' | 'better'>) {
  if (before.total_queries === 0) return <>nothing before</>
  return (
    <>
      <Change now={of(now)} before={of(before)} better={better} format={format} />
      {`from ${format(of(before))}`}
    </>
  )
}
