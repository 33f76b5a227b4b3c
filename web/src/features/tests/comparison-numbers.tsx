import type { Run, RunComparison } from '@cairn/sdk'
import { useChatTitles } from '../../shared/queries/chats.ts'
import { areChangesNoise, isNoise, pairedDifference } from '../../shared/statistics.ts'
import { formatDuration, formatMoney, formatShare } from '../../ui/format.ts'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { passRateOf } from './run-badges.tsx'
import { targetText } from './targets.ts'

interface Line {
  name: string
  a: string
  b: string
  change: string
}

const columns: readonly PlainColumn<Line>[] = [
  { id: 'name', title: 'Number', quiet: true, cell: ({ name }) => <span className="text-fg-2">{name}</span> },
  { id: 'a', title: 'A', align: 'right', cell: ({ a }) => a },
  { id: 'b', title: 'B', align: 'right', cell: ({ b }) => b },
  { id: 'change', title: 'Change', align: 'right', cell: ({ change }) => change },
]

function signed(value: number, text: string): string {
  return value === 0 ? 'none' : `${value > 0 ? '+' : '−'}${text}`
}

function percent(value: number): string {
  return signed(value, `${Math.abs(value).toFixed(Math.abs(value) < 10 ? 1 : 0)} %`)
}

function withNoise(text: string, isChance: boolean): string {
  return isChance ? `${text}, within noise` : text
}

/** The figures of both runs and their changes. */
export function ComparisonNumbers({
  projectId,
  comparison,
}: {
  projectId: string
  comparison: RunComparison
}) {
  const titles = useChatTitles(projectId)
  const { run_a: a, run_b: b, diff } = comparison
  const of = (text: (run: Run) => string) => ({ a: text(a), b: text(b) })
  const rate = diff.pass_rate_change
  const { improved, regressed } = comparison.counts
  /** Of the cases of both runs. */
  const paired = (of: 'latency_ms' | 'cost', change: number) => {
    const pairs = comparison.cases.flatMap(({ a: sideA, b: sideB }) => {
      const [before, now] = [sideA?.[of], sideB?.[of]]
      return before == null || now == null ? [] : [[before, now] as const]
    })
    const interval = pairedDifference(pairs)
    return withNoise(percent(change), change !== 0 && (interval === undefined || isNoise(interval)))
  }
  const lines: Line[] = [
    {
      name: 'Passed',
      ...of((run) => `${passRateOf(run)} (${run.passed} of ${run.passed + run.failed})`),
      change: withNoise(
        signed(rate, `${formatShare(Math.abs(rate)).replace(' %', '')} points`),
        rate !== 0 && areChangesNoise(improved, regressed),
      ),
    },
    {
      name: 'Average latency',
      ...of((run) => formatDuration(run.avg_latency_ms)),
      change: paired('latency_ms', diff.latency_change_pct),
    },
    {
      name: 'Cost',
      ...of((run) => formatMoney(run.total_cost)),
      change: paired('cost', diff.cost_change_pct),
    },
    ...((a.version ?? b.version)
      ? [{ name: 'Version', ...of((run) => run.version ?? '–'), change: '' }]
      : []),
    { name: 'Target', ...of((run) => targetText(run.target, titles)), change: '' },
  ]
  return (
    <div className="max-w-4xl px-4 py-2">
      <PlainTable label="Figures of both runs" columns={columns} rows={lines} rowKey={({ name }) => name} />
    </div>
  )
}
