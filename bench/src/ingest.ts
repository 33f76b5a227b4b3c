import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rawInsertRate } from './raw-insert.ts'
import { type LoadResult, runLoad } from './support/load.ts'
import { median, type Row, round } from './support/results.ts'
import {
  type BenchServer,
  createTenant,
  serverWithNoop,
  startServer,
  type Tenant,
  temporaryFolder,
} from './support/server.ts'
import { batchBodies, traceBodies } from './support/traces.ts'

const connections = 64
const rounds = 4
const roundSeconds = 4
const batchSize = 100

interface Target {
  server: BenchServer
  tenant: Tenant
}

function load({ server, tenant }: Target, route: string, bodies: string[], more: object = {}) {
  const path = `/v1/${tenant.projectId}/${route}`
  const common = { url: server.url, path, key: tenant.projectKey, bodies, connections, seconds: roundSeconds }
  return runLoad({ ...common, ...more })
}

/** Alternates between the two routes, so that other load on the machine affects both. */
async function alternate(target: Target): Promise<{ noop: LoadResult[]; trace: LoadResult[] }> {
  const bodies = traceBodies(1000)
  for (const route of ['noop', 'traces']) await load(target, route, bodies, { seconds: 2 })
  const noop: LoadResult[] = []
  const trace: LoadResult[] = []
  for (let i = 0; i < rounds; i++) {
    noop.push(await load(target, 'noop', bodies))
    trace.push(await load(target, 'traces', bodies))
  }
  return { noop, trace }
}

function speedRows(name: string, results: LoadResult[]): Row[] {
  const of = (pick: (result: LoadResult) => number) => median(results.map(pick))
  return [
    { what: `${name}, ${connections} connections`, value: of((r) => r.perSecond), unit: 'requests/s' },
    { what: `${name}, p50`, value: of((r) => r.p50Ms), unit: 'ms' },
    { what: `${name}, p99`, value: of((r) => r.p99Ms), unit: 'ms' },
  ]
}

/** Bytes of the database file and its write-ahead log. */
function bytesOnDisk(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith('cairn.db'))
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Bytes on disk, after the server has stopped, per byte of received JSON. */
async function sizeRow(): Promise<Row> {
  const folder = temporaryFolder()
  const server = await startServer({ command: serverWithNoop, dataDir: folder.path })
  const tenant = await createTenant(server.url)
  const bodies = batchBodies(50, batchSize)
  const { requests } = await load({ server, tenant }, 'traces/batch', bodies, { connections: 8 })
  await server.stop()
  const mean = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length
  const value = round(bytesOnDisk(folder.path) / (requests * mean), 2)
  folder.remove()
  const rows = requests * batchSize
  return { what: 'bytes on disk for each byte of JSON received', value, unit: '', rows }
}

async function withTarget<T>(work: (target: Target) => Promise<T>): Promise<T> {
  const folder = temporaryFolder()
  const server = await startServer({ command: serverWithNoop, dataDir: folder.path })
  const result = await work({ server, tenant: await createTenant(server.url) })
  await server.stop()
  folder.remove()
  return result
}

/** Both start with empty tables in each round, because inserts become slower as tables grow. */
async function batchRound(bodies: string[]): Promise<{ batch: number; raw: number }> {
  const batch = await withTarget(async (target) => {
    await load(target, 'traces/batch', bodies, { connections: 8, seconds: 1 })
    return load(target, 'traces/batch', bodies, { connections: 8 })
  })
  return { batch: batch.perSecond * batchSize, raw: await rawInsertRate(roundSeconds + 1) }
}

async function batchRows(): Promise<Row[]> {
  const bodies = batchBodies(50, batchSize)
  const results: { batch: number; raw: number }[] = []
  for (let i = 0; i < 3; i++) results.push(await batchRound(bodies))
  const ratio = median(results.map(({ batch, raw }) => batch / raw))
  return [
    {
      what: `batches of ${batchSize}, 8 connections`,
      value: median(results.map((r) => r.batch)),
      unit: 'traces/s',
    },
    {
      what: 'raw inserts into the same tables, without sums',
      value: round(median(results.map((r) => r.raw))),
      unit: 'traces/s',
    },
    { what: 'batches ÷ raw inserts', value: round(ratio, 3), unit: '', bar: { min: 0.5 } },
  ]
}

async function singleRows(target: Target): Promise<Row[]> {
  const { noop, trace } = await alternate(target)
  const ratios = trace.map((result, index) => result.perSecond / (noop[index]?.perSecond ?? Number.NaN))
  const steady = await load(target, 'traces', traceBodies(1000), { rate: 1000, seconds: 10 })
  return [
    ...speedRows('noop route', noop),
    ...speedRows('single traces', trace),
    { what: 'single traces ÷ noop route', value: round(median(ratios), 3), unit: '', bar: { min: 0.5 } },
    { what: 'single traces at 1,000/s, p50', value: steady.p50Ms, unit: 'ms' },
    { what: 'single traces at 1,000/s, p99', value: steady.p99Ms, unit: 'ms', bar: { max: 15 } },
  ]
}

export async function benchIngest(): Promise<Row[]> {
  return [...(await withTarget(singleRows)), ...(await batchRows()), await sizeRow()]
}
