import { setTimeout as pause } from 'node:timers/promises'
import { type LoadResult, runLoad } from './support/load.ts'
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
import { traceBodies, traceBody } from './support/traces.ts'

const scoredTraces = 10_000
const batchSize = 500
const ratePerSecond = 500
const roundSeconds = 8
const rounds = 3

interface Target {
  server: BenchServer
  tenant: Tenant
}

interface Scoring {
  scoring_id: string
  state: string
  done: number
}

async function call<T>({ server, tenant }: Target, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.url}/v1/${tenant.projectId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.projectKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Records the traces to score, with their own tag. */
async function seed(target: Target): Promise<void> {
  for (let from = 0; from < scoredTraces; from += batchSize) {
    const traces = Array.from({ length: batchSize }, (_, index) => {
      const body = traceBody(from + index)
      return { ...body, tags: ['scored'], metadata: { expected_output: body.output } }
    })
    await call(target, 'POST', 'traces/batch', { traces })
  }
}

function start(target: Target): Promise<Scoring> {
  const request = { filter: { tag: 'scored' }, overwrite: true }
  return call(target, 'POST', 'scorers/correctness/run', request)
}

function ingest({ server, tenant }: Target): Promise<LoadResult> {
  return runLoad({
    url: server.url,
    path: `/v1/${tenant.projectId}/traces`,
    key: tenant.projectKey,
    bodies: traceBodies(1000),
    connections: 64,
    seconds: roundSeconds,
    rate: ratePerSecond,
  })
}

/** Scores all of these traces repeatedly until it is stopped; returns the number of scores. */
function keepScoring(target: Target): () => Promise<number> {
  let isOver = false
  const work = async () => {
    let scored = 0
    while (!isOver) {
      const { scoring_id } = await start(target)
      const path = `scorers/runs/${scoring_id}`
      let now = await call<Scoring>(target, 'GET', path)
      for (; now.state === 'running' && !isOver; now = await call(target, 'GET', path)) await pause(100)
      if (isOver) now = await call(target, 'POST', `${path}/cancel`)
      scored += now.done
    }
    return scored
  }
  const result = work()
  return () => {
    isOver = true
    return result
  }
}

/** Seconds to score all traces without other load. */
async function alone(target: Target): Promise<number> {
  const from = performance.now()
  const { scoring_id } = await start(target)
  for (;;) {
    const { state, done } = await call<Scoring>(target, 'GET', `scorers/runs/${scoring_id}`)
    if (state === 'completed' && done === scoredTraces) return (performance.now() - from) / 1000
    if (state !== 'running') throw new Error(`the batch is ${state} with ${done} scores`)
    await pause(20)
  }
}

/** Measures ingestion with rules that score new traces, at the same rate. */
async function withRules(target: Target): Promise<LoadResult> {
  const rule = { name: 'bench', scorer: 'toxicity', sample_rate: 0.1 }
  const { rule_id } = await call<{ rule_id: string }>(target, 'POST', 'scorers/rules', rule)
  const result = await ingest(target)
  await call(target, 'DELETE', `scorers/rules/${rule_id}`)
  return result
}

/** How much background scoring delays clients that record traces at the same time. */
export async function benchScoring(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const server = await startServer({ command: productionServer, dataDir: folder.path })
  const target = { server, tenant: await createTenant(server.url) }
  await seed(target)
  await ingest(target)
  const seconds = await alone(target)
  const idle: number[] = []
  const beside: number[] = []
  const ruled: number[] = []
  let scored = 0
  // Alternating, so that other load on the machine affects all of them.
  for (let at = 0; at < rounds; at++) {
    idle.push((await ingest(target)).p99Ms)
    const stop = keepScoring(target)
    beside.push((await ingest(target)).p99Ms)
    scored += await stop()
    ruled.push((await withRules(target)).p99Ms)
  }
  await server.stop()
  folder.remove()
  const rows = scoredTraces
  const [p99, p99Beside, p99Ruled] = [median(idle), median(beside), median(ruled)]
  return [
    {
      what: 'traces scored by correctness, alone',
      value: round(scoredTraces / seconds),
      unit: 'traces/s',
      rows,
    },
    {
      what: 'the same beside ingestion',
      value: round(scored / (rounds * roundSeconds)),
      unit: 'traces/s',
      rows,
    },
    { what: `single traces at ${ratePerSecond}/s, p99`, value: p99, unit: 'ms', rows },
    { what: 'the same while traces are scored, p99', value: p99Beside, unit: 'ms', rows },
    { what: 'p99 while scoring ÷ idle', value: round(p99Beside / p99, 2), unit: '', bar: { max: 2 }, rows },
    { what: 'with a rule for a tenth of what arrives, p99', value: p99Ruled, unit: 'ms', rows },
    { what: 'p99 with a rule ÷ idle', value: round(p99Ruled / p99, 2), unit: '', rows },
  ]
}
