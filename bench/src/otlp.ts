import { setTimeout as pause } from 'node:timers/promises'
import { genkitFolder, withGenkit } from './support/genkit.ts'
import { type LoadResult, runLoad } from './support/load.ts'
import { type OtlpBody, recordBody } from './support/otlp-bodies.ts'
import { median, type Row, round } from './support/results.ts'
import {
  type BenchServer,
  buildServer,
  createTenant,
  productionServer,
  startServer,
  type Tenant,
  temporaryFolder,
} from './support/server.ts'

const connections = 64
const rounds = 3
const roundSeconds = 4

interface Target {
  server: BenchServer
  tenant: Tenant
}

async function withTarget<T>(work: (target: Target) => Promise<T>): Promise<T> {
  const folder = temporaryFolder()
  const server = await startServer({ command: productionServer, dataDir: folder.path })
  try {
    return await work({ server, tenant: await createTenant(server.url) })
  } finally {
    await server.stop()
    folder.remove()
  }
}

async function read({ server, tenant }: Target, path: string) {
  const headers = { authorization: `Bearer ${tenant.projectKey}` }
  const response = await fetch(`${server.url}/v1/${tenant.projectId}/analytics/${path}`, { headers })
  return (await response.json()) as Record<string, unknown>
}

/** Waits until the project has so many traces. */
async function untilTraces(target: Target, count: number): Promise<void> {
  while (Number((await read(target, 'metrics')).total_queries) < count) await pause(20)
}

/** Traces per second until the response, and until the trace is in the metrics. */
async function otlpRound(target: Target, body: OtlpBody, before: number) {
  const from = performance.now()
  const result = await runLoad({
    url: target.server.url,
    path: '/v1/traces',
    key: target.tenant.projectKey,
    bodies: [body.bytes],
    contentType: body.contentType,
    fresh: body.traceId,
    connections,
    seconds: roundSeconds,
  })
  const lastMs = performance.now()
  await untilTraces(target, before + result.requests)
  const now = performance.now()
  return { ...result, assembled: (result.requests / (now - from)) * 1000, lateMs: now - lastMs }
}

/** The same content as a request of our own: a stored trace as it is read. */
async function ownBody(target: Target, body: OtlpBody): Promise<string> {
  const { requests } = await runLoad({
    url: target.server.url,
    path: '/v1/traces',
    key: target.tenant.projectKey,
    bodies: [body.bytes],
    connections: 1,
    seconds: 0.01,
  })
  await untilTraces(target, requests > 0 ? 1 : 0)
  const trace = await read(target, `traces/${body.traceId.toString()}`)
  return JSON.stringify({ ...trace, cost: undefined })
}

function ownRound({ server, tenant }: Target, body: string): Promise<LoadResult> {
  const path = `/v1/${tenant.projectId}/traces`
  const common = { url: server.url, key: tenant.projectKey, connections, seconds: roundSeconds }
  return runLoad({ ...common, path, bodies: [body] })
}

/** The same requests to Genkit's telemetry server, which stores a file per trace. */
async function genkitRound(packages: string, body: OtlpBody): Promise<LoadResult> {
  const common = { bodies: [body.bytes], contentType: body.contentType, fresh: body.traceId, connections }
  return withGenkit(packages, (url) =>
    runLoad({ url, path: '/api/otlp/v1/traces', key: '', ...common, seconds: roundSeconds }),
  )
}

async function genkitRows(json: OtlpBody, ours: readonly number[]): Promise<Row[]> {
  if (genkitFolder === undefined) {
    console.log(
      "skipped: the comparison with Genkit's telemetry server needs CAIRN_BENCH_GENKIT (CONTRIBUTING.md)",
    )
    return []
  }
  const theirs: number[] = []
  for (const _ of ours) theirs.push((await genkitRound(genkitFolder, json)).perSecond)
  return [
    { what: "Genkit's telemetry server, the same requests", value: median(theirs), unit: 'traces/s' },
    {
      what: "OTLP in JSON, accepted ÷ Genkit's server",
      value: round(median(ours) / median(theirs), 2),
      unit: '',
      bar: { min: 5 },
    },
  ]
}

/** Large requests beside a steady load of single traces. */
async function largeRows(): Promise<Row[]> {
  const [small, large] = [await recordBody('json'), await recordBody('json', 512)]
  return withTarget(async ({ server, tenant }) => {
    const common = { url: server.url, path: '/v1/traces', key: tenant.projectKey, seconds: 10 }
    const [singles, requests] = await Promise.all([
      runLoad({ ...common, bodies: [small.bytes], fresh: small.traceId, connections: 32, rate: 500 }),
      runLoad({ ...common, bodies: [large.bytes], fresh: large.traceId, connections: 1, rate: 2 }),
    ])
    return [
      { what: 'requests of 512 spans, p99', value: requests.p99Ms, unit: 'ms', bar: { max: 100 } },
      { what: '500 traces a second beside them, p99', value: singles.p99Ms, unit: 'ms' },
    ]
  })
}

export async function benchOtlp(): Promise<Row[]> {
  buildServer()
  const [json, protobuf] = [await recordBody('json'), await recordBody('protobuf')]
  const own = await withTarget((target) => ownBody(target, json))
  const results = {
    own: [] as number[],
    json: [] as number[],
    protobuf: [] as number[],
    late: [] as number[],
  }
  const assembled: number[] = []
  for (let number = 0; number < rounds; number++) {
    const posted = await withTarget((target) => ownRound(target, own))
    const byJson = await withTarget((target) => otlpRound(target, json, 0))
    const byProtobuf = await withTarget((target) => otlpRound(target, protobuf, 0))
    results.own.push(posted.perSecond)
    results.json.push(byJson.perSecond)
    results.protobuf.push(byProtobuf.perSecond)
    results.late.push(byJson.lateMs)
    assembled.push(byJson.assembled)
  }
  const ratio = (values: number[]) =>
    round(median(values.map((value, at) => value / (results.own[at] ?? Number.NaN))), 3)
  return [
    { what: `POST traces, ${own.length} bytes`, value: median(results.own), unit: 'traces/s' },
    {
      what: `OTLP in JSON, ${json.bytes.length} bytes, accepted`,
      value: median(results.json),
      unit: 'traces/s',
    },
    { what: 'OTLP in JSON, until all are in the metrics', value: round(median(assembled)), unit: 'traces/s' },
    { what: 'time from the last response until then', value: round(median(results.late)), unit: 'ms' },
    {
      what: `OTLP in protobuf, ${protobuf.bytes.length} bytes, accepted`,
      value: median(results.protobuf),
      unit: 'traces/s',
    },
    { what: 'OTLP in JSON, accepted ÷ POST traces', value: ratio(results.json), unit: '', bar: { min: 0.6 } },
    { what: 'OTLP in JSON, in the metrics ÷ POST traces', value: ratio(assembled), unit: '' },
    ...(await genkitRows(json, results.json)),
    ...(await largeRows()),
  ]
}
