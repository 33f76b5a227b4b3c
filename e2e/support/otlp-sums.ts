import type { Api } from './api.ts'

interface ExportedTrace {
  trace_id: string
  created_at: string
  status: string
  model: string | null
  version: string | null
  environment: string | null
  tags: string[]
  latency_ms: number | null
  cost: number | null
  token_usage: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null
  spans: { span_id: string }[]
}

/** All traces of a project as stored. */
export async function exportTraces(project: Api, projectId: string): Promise<ExportedTrace[]> {
  const { text } = await project.ok('GET', `/v1/${projectId}/analytics/export?format=jsonl`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedTrace)
}

const dimensions = ['status', 'model', 'version', 'environment', 'tag'] as const

function valuesOf(trace: ExportedTrace, dimension: (typeof dimensions)[number]): string[] {
  if (dimension === 'tag') return [...new Set(trace.tags)]
  const value = trace[dimension]
  return value === null ? [] : [value]
}

const sumOf = (values: readonly (number | null | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

function expectedGroup(group: string, traces: readonly ExportedTrace[]) {
  const latencies = traces.flatMap(({ latency_ms }) => latency_ms ?? [])
  return {
    group,
    traces: traces.length,
    errors: traces.filter(({ status }) => status === 'error').length,
    avg_latency_ms: latencies.length === 0 ? 0 : sumOf(latencies) / latencies.length,
    total_cost: sumOf(traces.map(({ cost }) => cost)),
    prompt_tokens: sumOf(traces.map(({ token_usage }) => token_usage?.prompt_tokens)),
    completion_tokens: sumOf(traces.map(({ token_usage }) => token_usage?.completion_tokens)),
  }
}

type Group = ReturnType<typeof expectedGroup>

/** Sums have rounding errors in floating-point numbers. */
function isSame(a: Group, b: Group): boolean {
  return Object.entries(a).every(([name, value]) => {
    const other = b[name as keyof Group]
    return typeof value === 'number' ? Math.abs(value - Number(other)) < 1e-6 : value === other
  })
}

/** Differences between the rollups of a project and the sums of its stored traces. */
export async function sumFaults(project: Api, projectId: string, period: string): Promise<string[]> {
  const traces = await exportTraces(project, projectId)
  const faults: string[] = []
  for (const dimension of dimensions) {
    const path = `/v1/${projectId}/analytics/breakdown?group_by=${dimension}&limit=100&${period}`
    const { groups } = (await project.ok('GET', path)).body as { groups: Group[] }
    const expected = new Map<string, ExportedTrace[]>()
    for (const trace of traces) {
      for (const value of valuesOf(trace, dimension)) {
        expected.set(value, [...(expected.get(value) ?? []), trace])
      }
    }
    if (groups.length !== expected.size)
      faults.push(`${dimension} has ${groups.length} groups, not ${expected.size}`)
    for (const found of groups) {
      const wanted = expectedGroup(found.group, expected.get(found.group) ?? [])
      if (!isSame(wanted, found))
        faults.push(`${dimension}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
    }
  }
  faults.push(...(await minuteFaults(project, projectId, traces, period)))
  return faults
}

/** Compares the numbers of traces by minute. */
async function minuteFaults(
  project: Api,
  projectId: string,
  traces: readonly ExportedTrace[],
  period: string,
): Promise<string[]> {
  const path = `/v1/${projectId}/analytics/timeseries?interval=minute&${period}`
  const { series } = (await project.ok('GET', path)).body as {
    series: { points: { timestamp: string; value: number }[] }[]
  }
  const found = (series[0]?.points ?? [])
    .filter(({ value }) => value !== 0)
    .map(({ timestamp, value }) => `${timestamp.slice(0, 16)} ${value}`)
  const byMinute = Map.groupBy(traces, ({ created_at }) => created_at.slice(0, 16))
  const expected = [...byMinute].map(([minute, each]) => `${minute} ${each.length}`)
  const isEqual = JSON.stringify(found.toSorted()) === JSON.stringify(expected.toSorted())
  return isEqual ? [] : [`by minute: ${found.join(', ')}; not ${expected.join(', ')}`]
}
