import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { month, type RealisticTrace } from './realistic-traces.ts'

const dayMs = 24 * 60 * 60 * 1000
const dimensions = ['model', 'version', 'status', 'environment', 'tag'] as const
type Dimension = (typeof dimensions)[number]
const metrics = [
  'traces',
  'errors',
  'avg_latency_ms',
  'p95_latency_ms',
  'total_cost',
  'prompt_tokens',
  'total_tokens',
] as const
type Metric = (typeof metrics)[number]

/** The server's percentiles are exact up to this many latencies, and within 1 % above. */
const exactPercentiles = 10_000

/** Statistics of a group of traces, added one by one. */
class Sum {
  traces = 0
  errors = 0
  cost = 0
  embeddingCost = 0
  promptTokens = 0
  totalTokens = 0
  readonly latencies: number[] = []
  #isSorted = false

  add(trace: RealisticTrace): void {
    this.traces += 1
    if (trace.status === 'error') this.errors += 1
    this.cost += trace.cost ?? 0
    if (trace.spans[0]?.kind === 'embedding') this.embeddingCost += trace.cost ?? 0
    this.promptTokens += trace.token_usage.prompt_tokens
    this.totalTokens += trace.token_usage.total_tokens
    this.latencies.push(trace.latency_ms)
  }

  get averageLatency(): number {
    return this.latencies.reduce((sum, latency) => sum + latency, 0) / Math.max(1, this.latencies.length)
  }

  percentile(share: number): number {
    if (!this.#isSorted) this.latencies.sort((a, b) => a - b)
    this.#isSorted = true
    const rank = share * (this.latencies.length - 1)
    const lower = this.latencies[Math.floor(rank)] ?? 0
    return lower + ((this.latencies[Math.ceil(rank)] ?? 0) - lower) * (rank % 1)
  }

  metric(name: Metric): number {
    switch (name) {
      case 'traces':
        return this.traces
      case 'errors':
        return this.errors
      case 'avg_latency_ms':
        return this.averageLatency
      case 'p95_latency_ms':
        return this.percentile(0.95)
      case 'total_cost':
        return this.cost
      case 'prompt_tokens':
        return this.promptTokens
      case 'total_tokens':
        return this.totalTokens
    }
  }
}

/** The whole period and each of its days. */
class Group {
  readonly all = new Sum()
  readonly days = new Map<number, Sum>()

  add(trace: RealisticTrace): void {
    this.all.add(trace)
    const day = Math.floor(Date.parse(trace.created_at) / dayMs) * dayMs
    const sum = this.days.get(day) ?? new Sum()
    this.days.set(day, sum)
    sum.add(trace)
  }
}

function valuesOf(trace: RealisticTrace, dimension: Dimension): string[] {
  return dimension === 'tag' ? [...new Set(trace.tags)] : [trace[dimension]]
}

class Groups {
  readonly everything = new Group()
  readonly by = new Map<string, Map<string, Group>>(dimensions.map((name) => [name, new Map()]))

  add(trace: RealisticTrace): void {
    this.everything.add(trace)
    for (const dimension of dimensions) {
      for (const value of valuesOf(trace, dimension)) {
        const groups = this.by.get(dimension) as Map<string, Group>
        const group = groups.get(value) ?? new Group()
        groups.set(value, group)
        group.add(trace)
      }
    }
  }
}

interface Series {
  series: { group: string | null; points: { timestamp: string; value: number }[] }[]
}

/** Compares the server's summaries of a project with the lines of a file. */
class Check {
  readonly #get: (path: string) => Promise<unknown>
  readonly #period =
    `start_date=${new Date(month.from).toISOString()}&end_date=${new Date(month.to).toISOString()}`
  readonly differences: string[] = []
  numbers = 0

  constructor(get: (path: string) => Promise<unknown>) {
    this.#get = get
  }

  async run(groups: Groups): Promise<void> {
    await this.#summaries('', groups.everything.all)
    await this.#series(undefined, new Map([['', groups.everything]]))
    for (const [dimension, values] of groups.by) {
      for (const [value, group] of values) {
        await this.#summaries(`&${dimension}=${encodeURIComponent(value)}`, group.all)
      }
      await this.#series(dimension, values)
    }
  }

  async #summaries(filter: string, sum: Sum): Promise<void> {
    const read = async (name: string) =>
      (await this.#get(`/analytics/${name}?${this.#period}${filter}`)) as Record<string, number>
    const compare = (name: string, answer: Record<string, number>, wanted: Record<string, number>) => {
      for (const [field, value] of Object.entries(wanted)) {
        const isEstimate = /^p\d/.test(field) && sum.latencies.length > exactPercentiles
        this.#compare(`${name}${filter} ${field}`, answer[field], value, isEstimate)
      }
    }
    compare('metrics', await read('metrics'), {
      total_queries: sum.traces,
      successful: sum.traces - sum.errors,
      failed: sum.errors,
      avg_response_time_ms: sum.averageLatency,
      total_cost: sum.cost,
      avg_cost_per_query: sum.cost / sum.traces,
    })
    compare('costs', await read('costs'), {
      total_cost: sum.cost,
      llm_cost: sum.cost - sum.embeddingCost,
      embedding_cost: sum.embeddingCost,
      reranking_cost: 0,
    })
    compare('performance', await read('performance'), {
      p50_latency_ms: sum.percentile(0.5),
      p95_latency_ms: sum.percentile(0.95),
      p99_latency_ms: sum.percentile(0.99),
      avg_latency_ms: sum.averageLatency,
      total_traces: sum.traces,
    })
  }

  async #series(dimension: string | undefined, groups: ReadonlyMap<string, Group>): Promise<void> {
    for (const metric of metrics) {
      const by = dimension === undefined ? '' : `&group_by=${dimension}&limit=100`
      const path = `/analytics/timeseries?metric=${metric}&interval=day&${this.#period}${by}`
      const { series } = (await this.#get(path)) as Series
      const what = `${metric} by ${dimension ?? 'day'}`
      this.#compare(`groups of ${what}`, series.length, groups.size, false)
      for (const { group, points } of series) {
        const days = groups.get(group ?? '')?.days
        const given = new Map(points.map(({ timestamp, value }) => [Date.parse(timestamp), value]))
        for (let day = month.from; day < month.to; day += dayMs) {
          const wanted = (days?.get(day) ?? new Sum()).metric(metric)
          this.#compare(`${what} ${group} ${day}`, given.get(day), wanted, metric.startsWith('p9'))
        }
      }
    }
  }

  #compare(what: string, value: number | undefined, wanted: number, isEstimate: boolean): void {
    this.numbers += 1
    // Two ways to add up a million numbers differ in the last digits.
    const tolerance = (isEstimate ? 0.0101 : 1e-9) * Math.abs(wanted) + 1e-9
    if (value === undefined || !(Math.abs(value - wanted) <= tolerance)) {
      this.differences.push(`${what}: ${value} instead of ${wanted}`)
    }
  }
}

/** Undefined for a line that an import would reject. */
function parse(line: string): RealisticTrace | undefined {
  try {
    const trace = JSON.parse(line) as RealisticTrace
    return typeof trace.input === 'string' ? trace : undefined
  } catch {
    return undefined
  }
}

/**
 * Compares every summary of a project (metrics, costs, performance, series by each dimension) with the lines of a file.
 * `get` reads a path below the project's path.
 */
export async function checkAgainstFile(
  path: string,
  get: (path: string) => Promise<unknown>,
): Promise<{ numbers: number; differences: string[] }> {
  const groups = new Groups()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const trace = parse(line)
    if (trace) groups.add(trace)
  }
  const check = new Check(get)
  await check.run(groups)
  return { numbers: check.numbers, differences: check.differences }
}
