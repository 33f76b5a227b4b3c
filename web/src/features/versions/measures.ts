import type { BreakdownGroup, TracePreview, VersionComparison } from '@cairn/sdk'
import {
  type Interval,
  isNoise,
  type Mean,
  meanDifference,
  meanOf,
  percentileDifference,
  shareDifference,
} from '../../shared/statistics.ts'
import { assess, type Better, differenceOf, type Verdict } from '../../ui/change.tsx'
import { formatCount, formatDuration, formatMoney, formatScore, formatShare } from '../../ui/format.ts'

/** One figure of two versions. */
export interface Measure {
  title: string
  a: number | null
  b: number | null
  better: Better
  /** Whether the difference may be chance; undefined for figures that only count. */
  isNoise?: boolean | undefined
  format: (value: number | null | undefined) => string
}

export interface Side {
  figures: BreakdownGroup | null
  scores: ReadonlyMap<string, Mean>
  /** The newest traces. */
  sample: readonly TracePreview[]
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
  const values = ({ sample }: Side, of: (trace: TracePreview) => number | null) =>
    sample.map(of).filter((value) => value !== null)
  /** The means are over all traces, and the deviation of single traces is that of the newest ones. */
  const means = (of: (trace: TracePreview) => number | null) => {
    const [ofA, ofB] = [values(sides.a, of), values(sides.b, of)]
    return noiseOf(meanDifference(meanOf(ofA, a.total_traces), meanOf(ofB, b.total_traces)))
  }
  const percentiles = (share: number) => {
    const of = (side: Side, count: number) => ({
      sample: values(side, ({ latency_ms }) => latency_ms),
      count,
    })
    return noiseOf(percentileDifference(share, of(sides.a, a.total_traces), of(sides.b, b.total_traces)))
  }
  const errorsOf = ({ total_traces: trials, error_rate }: typeof a) => ({
    successes: Math.round(error_rate * trials),
    trials,
  })
  const rate = ({ total_traces: traces, error_rate }: typeof a) => (traces === 0 ? null : error_rate)
  const perTrace = ({ traces, total_tokens }: BreakdownGroup) => total_tokens / traces
  const names = new Set([...sides.a.scores.keys(), ...sides.b.scores.keys()])
  return [
    { title: 'Traces', a: a.total_traces, b: b.total_traces, better: 'neither', format: formatCount },
    {
      title: 'Error rate',
      a: rate(a),
      b: rate(b),
      better: 'less',
      isNoise: noiseOf(shareDifference(errorsOf(a), errorsOf(b))),
      format: formatShare,
    },
    {
      title: 'Average latency',
      a: orNull(a.avg_latency_ms),
      b: orNull(b.avg_latency_ms),
      better: 'less',
      isNoise: means(({ latency_ms }) => latency_ms),
      format: formatDuration,
    },
    { ...figure('Latency p50', (group) => group.p50_latency_ms, formatDuration), isNoise: percentiles(0.5) },
    { ...figure('Latency p95', (group) => group.p95_latency_ms, formatDuration), isNoise: percentiles(0.95) },
    {
      title: 'Cost per trace',
      a: orNull(a.avg_cost),
      b: orNull(b.avg_cost),
      better: 'less',
      isNoise: means(({ cost }) => cost),
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
      a: sides.a.scores.get(name)?.mean ?? null,
      b: sides.b.scores.get(name)?.mean ?? null,
      better: 'more' as const,
      isNoise: noiseOfScores(sides.a.scores.get(name), sides.b.scores.get(name)),
      format: formatScore,
    })),
    ...suites.map(({ name, a: runA, b: runB }) => ({
      title: `Pass rate of ${name}`,
      a: runA?.pass_rate ?? null,
      b: runB?.pass_rate ?? null,
      better: 'more' as const,
      isNoise: runA && runB ? noiseOf(shareDifference(passesOf(runA), passesOf(runB))) : undefined,
      format: formatShare,
    })),
  ]
}

/** Too few values to tell are noise, too. */
function noiseOf(interval: Interval | undefined): boolean {
  return interval === undefined || isNoise(interval)
}

function noiseOfScores(a: Mean | undefined, b: Mean | undefined): boolean {
  return noiseOf(a && b && meanDifference(a, b))
}

function passesOf({ passed, failed }: { passed: number; failed: number }) {
  return { successes: passed, trials: passed + failed }
}

/** The measures in which the second version is better or worse, or in which the difference may be noise. */
export function verdictOf(measures: readonly Measure[]): Record<Verdict, string[]> {
  const found: Record<Verdict, string[]> = { better: [], worse: [], noise: [] }
  for (const { title, a, b, better, isNoise, format } of measures) {
    const difference = differenceOf(a, b)
    const verdict = difference && assess(difference, better, isNoise)
    if (verdict)
      found[verdict].push(`${title.replace(/^[A-Z]/, (c) => c.toLowerCase())} ${format(a)} → ${format(b)}`)
  }
  return found
}
