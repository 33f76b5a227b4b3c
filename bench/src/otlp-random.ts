import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../e2e/support/random.ts'
import { type Row, round } from './support/results.ts'
import {
  type BenchServer,
  buildServer,
  createTenant,
  productionServer,
  startServer,
  type Tenant,
  temporaryFolder,
} from './support/server.ts'

const spansPerTrace = 20
const spansPerRequest = 512
const repeatedShare = 0.05
const senders = 4
/** The assembly has stopped if the sums do not change for this long. */
const settledMs = 60_000

const firstMs = Date.UTC(2026, 0, 5)
const hourMs = 60 * 60 * 1000
const hours = 24
const period = `start_date=${new Date(firstMs).toISOString()}&end_date=${new Date(firstMs + hours * hourMs).toISOString()}`

/** The sums of a group of traces, as in the breakdown of the API. */
interface Sums {
  traces: number
  errors: number
  latency: number
  prompt: number
  completion: number
  cost: number
}

/** The part of a trace that its root span says. */
interface Root {
  startMs: number
  durationMs: number
  status: 'error' | 'success'
  model: string
  version: string
}

/** The choice of a number below `size`, always the same for the same key (splitmix32). */
function choice(key: number, size: number): number {
  let mixed = (key + 0x9e3779b9) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % size
}

function rootOf(trace: number): Root {
  return {
    startMs: firstMs + choice(trace * 7 + 1, hours * hourMs - hourMs),
    durationMs: 1 + choice(trace * 7 + 2, 60_000),
    status: choice(trace * 7 + 3, 10) === 0 ? 'error' : 'success',
    model: `acme-${choice(trace * 7 + 4, 3)}`,
    version: `1.${choice(trace * 7 + 5, 5)}`,
  }
}

/** The usage of each span except the root. Costs are whole thousandths, so their sums are nearly exact. */
function usageOf(span: number) {
  return {
    prompt: choice(span * 3, 1000),
    completion: choice(span * 3 + 1, 200),
    cost: choice(span * 3 + 2, 50) / 1000,
  }
}

const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const nanoseconds = (ms: number) => `${ms}000000`

/** A span by its number, in OTLP's JSON. The first of each trace is its root. */
function toOtlp(span: number): object {
  const [trace, index] = [Math.floor(span / spansPerTrace), span % spansPerTrace]
  const { startMs, durationMs, status, model, version } = rootOf(trace)
  const rootId = hex(trace * spansPerTrace + 1, 16)
  const common = { traceId: hex(trace + 1, 32), spanId: hex(span + 1, 16), kind: 1 }
  const from = { startTimeUnixNano: nanoseconds(startMs) }
  if (index === 0) {
    return {
      ...common,
      ...from,
      name: 'agent',
      endTimeUnixNano: nanoseconds(startMs + durationMs),
      attributes: [text('langfuse.version', version)],
      status: { code: status === 'error' ? 2 : 1 },
    }
  }
  const { prompt, completion, cost } = usageOf(span)
  return {
    ...common,
    ...from,
    parentSpanId: rootId,
    name: 'chat',
    endTimeUnixNano: nanoseconds(startMs + 1),
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', model),
      { key: 'gen_ai.usage.input_tokens', value: { intValue: String(prompt) } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: String(completion) } },
      { key: 'gen_ai.usage.cost', value: { doubleValue: cost } },
    ],
  }
}

/** The numbers of all spans in random order (Fisher and Yates), some of them twice. */
function shuffledSpans(count: number): Uint32Array {
  const random = seededRandom(4711)
  const repeated = Math.floor(count * repeatedShare)
  const order = Uint32Array.from({ length: count + repeated }, (_, at) =>
    at < count ? at : Math.floor(random() * count),
  )
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [a = 0, b = 0] = [order[at], order[other]]
    order[at] = b
    order[other] = a
  }
  return order
}

const emptySums = (): Sums => ({ traces: 0, errors: 0, latency: 0, prompt: 0, completion: 0, cost: 0 })

/** The sums of each value of a dimension, computed from the spans themselves. */
function expectedSums(traces: number, keyOf: (root: Root) => string): Map<string, Sums> {
  const groups = new Map<string, Sums>()
  for (let trace = 0; trace < traces; trace++) {
    const root = rootOf(trace)
    const sums = groups.get(keyOf(root)) ?? emptySums()
    groups.set(keyOf(root), sums)
    sums.traces += 1
    sums.errors += root.status === 'error' ? 1 : 0
    sums.latency += root.durationMs
    for (let index = 1; index < spansPerTrace; index++) {
      const { prompt, completion, cost } = usageOf(trace * spansPerTrace + index)
      sums.prompt += prompt
      sums.completion += completion
      sums.cost += cost
    }
  }
  return groups
}

interface Group {
  group: string
  traces: number
  errors: number
  avg_latency_ms: number
  total_cost: number
  prompt_tokens: number
  completion_tokens: number
}

class Reader {
  readonly #server: BenchServer
  readonly #tenant: Tenant

  constructor(server: BenchServer, tenant: Tenant) {
    this.#server = server
    this.#tenant = tenant
  }

  async #read(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#tenant.projectKey}` }
    const { url } = this.#server
    const response = await fetch(`${url}/v1/${this.#tenant.projectId}/analytics/${path}&${period}`, {
      headers,
    })
    return response.json()
  }

  async groups(dimension: string): Promise<Group[]> {
    return ((await this.#read(`breakdown?group_by=${dimension}&limit=100`)) as { groups: Group[] }).groups
  }

  async hours(): Promise<{ timestamp: string; value: number }[]> {
    const { series } = (await this.#read('timeseries?interval=hour')) as {
      series: { points: { timestamp: string; value: number }[] }[]
    }
    return series[0]?.points ?? []
  }
}

const dimensions: Record<string, (root: Root) => string> = {
  status: ({ status }) => status,
  model: ({ model }) => model,
  version: ({ version }) => version,
}

/** The number of groups and hours whose rollups differ from the spans. */
async function differences(reader: Reader, traces: number): Promise<number> {
  let count = 0
  for (const [dimension, keyOf] of Object.entries(dimensions)) {
    const expected = expectedSums(traces, keyOf)
    const found = await reader.groups(dimension)
    count += Math.abs(found.length - expected.size)
    for (const group of found) {
      const sums = expected.get(group.group) ?? emptySums()
      const isEqual =
        group.traces === sums.traces &&
        group.errors === sums.errors &&
        group.prompt_tokens === sums.prompt &&
        group.completion_tokens === sums.completion &&
        Math.abs(group.avg_latency_ms - sums.latency / sums.traces) < 1e-6 &&
        Math.abs(group.total_cost - sums.cost) < 1e-6 * sums.cost
      if (!isEqual) count += 1
    }
  }
  const byHour = expectedSums(traces, ({ startMs }) => String(Math.floor((startMs - firstMs) / hourMs)))
  for (const { timestamp, value } of await reader.hours()) {
    const hour = String((Date.parse(timestamp) - firstMs) / hourMs)
    if (value !== (byHour.get(hour)?.traces ?? 0)) count += 1
  }
  return count
}

/** Sends all spans; repeats a request after the time that a busy server names. Returns the number of repeated requests. */
async function sendAll(server: BenchServer, tenant: Tenant, order: Uint32Array): Promise<number> {
  let [at, repeated] = [0, 0]
  const headers = { authorization: `Bearer ${tenant.projectKey}`, 'content-type': 'application/json' }
  const send = async () => {
    while (at < order.length) {
      const part = order.subarray(at, at + spansPerRequest)
      at += part.length
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: Array.from(part, toOtlp) }] }] })
      for (;;) {
        const response = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body })
        const answer = await response.text()
        if (response.status === 200) {
          if (answer !== '{}') throw new Error(`spans were rejected: ${answer}`)
          break
        }
        if (![429, 503].includes(response.status)) throw new Error(`${response.status} ${answer}`)
        repeated += 1
        await pause(Number(response.headers.get('retry-after') ?? 1) * 1000)
      }
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
  return repeated
}

/** Waits until the sums of all tokens do not change any more. Returns how long this took, without the last wait. */
async function untilSettled(reader: Reader, traces: number): Promise<number> {
  const from = performance.now()
  const wanted = [...expectedSums(traces, () => '').values()][0]?.prompt
  let [last, changedMs] = ['', performance.now()]
  for (;;) {
    const groups = await reader.groups('status')
    const sum = groups.reduce((total, { prompt_tokens }) => total + prompt_tokens, 0)
    if (sum === wanted) return performance.now() - from
    const seen = JSON.stringify(groups)
    if (seen !== last) [last, changedMs] = [seen, performance.now()]
    if (performance.now() - changedMs > settledMs) return changedMs - from
    await pause(500)
  }
}

/** Sends the spans of many traces in random order, some of them twice, and compares the rollups with the spans. */
export async function benchOtlpRandom([asked]: readonly string[]): Promise<Row[]> {
  const traces = Math.ceil(Number(asked ?? 1_000_000) / spansPerTrace)
  buildServer()
  const folder = temporaryFolder()
  const server = await startServer({ command: productionServer, dataDir: folder.path })
  try {
    const tenant = await createTenant(server.url)
    const order = shuffledSpans(traces * spansPerTrace)
    const from = performance.now()
    const repeated = await sendAll(server, tenant, order)
    const sentMs = performance.now() - from
    const reader = new Reader(server, tenant)
    const settledAfterMs = await untilSettled(reader, traces)
    return [
      { what: 'spans sent, in random order', value: order.length, unit: '' },
      { what: 'spans accepted', value: round((order.length / sentMs) * 1000), unit: 'a second' },
      { what: 'requests repeated after 429 or 503', value: repeated, unit: '' },
      { what: 'time until the last trace is complete', value: round(settledAfterMs / 1000, 1), unit: 's' },
      {
        what: 'sums that differ from the spans',
        value: await differences(reader, traces),
        unit: '',
        bar: { max: 0 },
      },
    ]
  } finally {
    await server.stop()
    folder.remove()
  }
}
