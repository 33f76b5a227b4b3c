import type { BreakdownGroup, VersionComparison } from '@cairn/sdk'
import { assess, type Better, differenceOf } from '../../ui/change.tsx'
import { formatCount, formatDuration, formatMoney, formatScore, formatShare } from '../../ui/format.ts'

/** One figure of two versions. */
export interface Measure {
  title: string
  a: number | null
  b: number | null
  better: Better
  format: (value: number | null | undefined) => string
}

export interface Side {
  figures: BreakdownGroup | null
  scores: ReadonlyMap<string, number>
}

/** With fewer traces, the figures of a version mean little. */
export const fewTraces = 30

/** The API sends 0 if nothing was measured. */
const orNull = (value: number | undefined) => value || null

/** The figures of two versions, the most important first. */
export function measuresOf(
  { version_a: a, version_b: b, suites = [] }: VersionComparison,
  sides: { a: Side; b: Side },
): Measure[] {
  const figure = (
    title: string,
    of: (group: BreakdownGroup) => number,
    format: Measure['format'],
    better: Better = 'less',
  ): Measure => ({
    title,
    a: sides.a.figures && orNull(of(sides.a.figures)),
    b: sides.b.figures && orNull(of(sides.b.figures)),
    better,
    format,
  })
  const rate = ({ total_traces: traces, error_rate }: typeof a) => (traces === 0 ? null : error_rate)
  const perTrace = ({ traces, total_tokens }: BreakdownGroup) => total_tokens / traces
  const names = new Set([...sides.a.scores.keys(), ...sides.b.scores.keys()])
  return [
    { title: 'Traces', a: a.total_traces, b: b.total_traces, better: 'neither', format: formatCount },
    { title: 'Error rate', a: rate(a), b: rate(b), better: 'less', format: formatShare },
    {
      title: 'Average latency',
      a: orNull(a.avg_latency_ms),
      b: orNull(b.avg_latency_ms),
      better: 'less',
      format: formatDuration,
    },
    figure('Latency p50', (group) => group.p50_latency_ms, formatDuration),
    figure('Latency p95', (group) => group.p95_latency_ms, formatDuration),
    {
      title: 'Cost per trace',
      a: orNull(a.avg_cost),
      b: orNull(b.avg_cost),
      better: 'less',
      format: formatMoney,
    },
    figure(
      'Tokens per trace',
      perTrace,
      (value) => formatCount(value == null ? value : Math.round(value)),
      'neither',
    ),
    ...[...names].sort().map((name) => ({
      title: `Score ${name}`,
      a: sides.a.scores.get(name) ?? null,
      b: sides.b.scores.get(name) ?? null,
      better: 'more' as const,
      format: formatScore,
    })),
    ...suites.map(({ name, a: runA, b: runB }) => ({
      title: `Pass rate of ${name}`,
      a: runA?.pass_rate ?? null,
      b: runB?.pass_rate ?? null,
      better: 'more' as const,
      format: formatShare,
    })),
  ]
}

/** The measures in which the second version is better, and in which it is worse. */
export function verdictOf(measures: readonly Measure[]): { better: string[]; worse: string[] } {
  const found = { better: [] as string[], worse: [] as string[] }
  for (const { title, a, b, better, format } of measures) {
    const difference = differenceOf(a, b)
    const verdict = difference && assess(difference, better)
    if (verdict)
      found[verdict].push(`${title.replace(/^[A-Z]/, (c) => c.toLowerCase())} ${format(a)} → ${format(b)}`)
  }
  return found
}
