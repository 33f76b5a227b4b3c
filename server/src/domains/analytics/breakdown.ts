import type { Breakdown, BreakdownQuery } from '@cairn/contract'
import type { Scan } from '../../lib/scans.ts'
import { toIso } from '../../lib/time.ts'
import { dayMs, sumNames } from '../rollups/index.ts'
import { parseTraceFilters } from '../traces/index.ts'
import { type GroupDependencies, GroupReader, GroupTable, parseGroupBy } from './groups.ts'
import { periodOf } from './period.ts'
import type { ReadPlan, Total } from './summary.ts'

const defaultGroups = 20
const shares = [0.5, 0.95, 0.99]

function figuresOf({ sums, latencies }: Total) {
  const { traces, errors, cost_sum, costs, latency_sum } = sums
  const [p50 = 0, p95 = 0, p99 = 0] = latencies.percentiles(shares)
  return {
    traces,
    errors,
    error_rate: traces === 0 ? 0 : errors / traces,
    avg_latency_ms: sums.latencies === 0 ? 0 : latency_sum / sums.latencies,
    p50_latency_ms: p50,
    p95_latency_ms: p95,
    p99_latency_ms: p99,
    total_cost: cost_sum,
    avg_cost: costs === 0 ? 0 : cost_sum / costs,
    unpriced_traces: traces - costs,
    prompt_tokens: sums.prompt_tokens,
    completion_tokens: sums.completion_tokens,
    total_tokens: sums.total_tokens,
  }
}

/** All figures of a period for each group, in descending order of traces. Percentiles are estimates within 1 %. */
export async function readBreakdown(
  dependencies: GroupDependencies,
  scan: Scan,
  projectId: string,
  query: BreakdownQuery,
): Promise<Breakdown> {
  const conditions = parseTraceFilters(query)
  const span = periodOf(conditions)
  const groups = query.limit ?? defaultGroups
  const plan: ReadPlan = {
    scan,
    projectId,
    conditions: { ...conditions, startMs: span.from, endMs: span.to },
    span,
    widestMs: dayMs,
    sums: sumNames,
    sketches: true,
  }
  // The whole period is one interval.
  const groupReader = new GroupReader(dependencies, plan, new GroupTable(() => 0), groups)
  await groupReader.read(parseGroupBy(query.group_by))
  return {
    group_by: query.group_by,
    period_start: toIso(span.from),
    period_end: toIso(span.to),
    groups: groupReader.table
      .top(groups)
      .flatMap(([group, points]) => [...points.values()].map((total) => ({ group, ...figuresOf(total) }))),
  }
}
