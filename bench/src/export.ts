import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type LoadResult, runLoad } from './support/load.ts'
import { open, read } from './support/requests.ts'
import { type Row, round } from './support/results.ts'
import { manyTraces } from './support/seed.ts'
import { periodOf, type SeededSource, withSeeded } from './support/seeded-server.ts'
import { createAdminKey, memoryOf } from './support/server.ts'
import { traceBodies } from './support/traces.ts'

const exported = Math.min(1_000_000, manyTraces)
const ratePerSecond = 1000
const rateSeconds = 15

/** Seconds to read the rows of an export directly from the database, in the same order, with bodies and scores. */
function readRaw({ data }: SeededSource): number {
  const db = new DatabaseSync(join(data.dataDir, 'cairn.db'), { readOnly: true })
  db.exec('pragma cache_size = -16000')
  const newest = db.prepare(
    `select traces.trace_id, traces.created_at, traces.cost, traces.cost_source, trace_bodies.body,
       (select json_group_array(json_array(score_id, name, value, comment, scores.created_at)) from scores
        where scores.project_id = traces.project_id and scores.trace_id = traces.trace_id) as scores
     from traces join trace_bodies using (project_id, trace_id)
     where traces.project_id = ? and created_at < ? order by created_at desc, traces.trace_id desc limit ?`,
  )
  const from = performance.now()
  let bytes = 0
  for (const row of newest.iterate(data.tenant.projectId, data.toMs, exported)) {
    bytes += (row.body as Uint8Array).length
  }
  const seconds = (performance.now() - from) / 1000
  db.close()
  if (bytes === 0) throw new Error('nothing was read')
  return seconds
}

/** Samples the memory of the server until the work is done. */
async function watched<T>(pid: number, work: Promise<T>): Promise<{ result: T; maxRss: number }> {
  let isDone = false
  let maxRss = 0
  const watch = async () => {
    for (; !isDone; await pause(50)) maxRss = Math.max(maxRss, memoryOf(pid).rss)
  }
  const [result] = await Promise.all([work.finally(() => (isDone = true)), watch()])
  return { result, maxRss }
}

async function formatRows(source: SeededSource, format: string): Promise<Row[]> {
  const before = readRaw(source)
  const from = performance.now()
  const path = `analytics/export?format=${format}&${periodOf(source.data, exported)}`
  const { result, maxRss } = await watched(source.server.pid, read(source, path))
  const seconds = (performance.now() - from) / 1000
  const raw = (before + readRaw(source)) / 2
  const rows = manyTraces
  return [
    { what: `raw reading beside ${format}`, value: round(exported / raw), unit: 'traces/s', rows },
    { what: `export as ${format}`, value: round(exported / seconds), unit: 'traces/s', rows },
    { what: `export as ${format}`, value: round(result.bytes / seconds / 1e6), unit: 'MB/s', rows },
    {
      what: `export as ${format} ÷ raw reading`,
      value: round(raw / seconds, 3),
      unit: '',
      bar: { min: 0.5 },
      rows,
    },
    { what: `most memory of the server, ${format}`, value: maxRss, unit: 'MB', rows },
  ]
}

function ingest({ server, tenant }: SeededSource): Promise<LoadResult> {
  return runLoad({
    url: server.url,
    path: `/v1/${tenant.projectId}/traces`,
    key: tenant.projectKey,
    bodies: traceBodies(1000),
    connections: 64,
    seconds: rateSeconds,
    rate: ratePerSecond,
  })
}

/** Reads exports one after the other until it is stopped. */
function keepExporting(source: SeededSource): () => Promise<void> {
  let isOver = false
  const work = async () => {
    while (!isOver) {
      const response = await open(source, `analytics/export?format=jsonl&${periodOf(source.data, exported)}`)
      for await (const _ of response) if (isOver) break
    }
  }
  const done = work()
  return () => {
    isOver = true
    return done
  }
}

async function besideIngest(source: SeededSource): Promise<Row[]> {
  await ingest(source)
  const alone = await ingest(source)
  const stop = keepExporting(source)
  const beside = await ingest(source)
  await stop()
  const rows = manyTraces
  return [
    { what: `single traces at ${ratePerSecond}/s, p99`, value: alone.p99Ms, unit: 'ms', rows },
    { what: `the same during an export, p99`, value: beside.p99Ms, unit: 'ms', rows },
    {
      what: 'p99 during an export ÷ without',
      value: round(beside.p99Ms / alone.p99Ms, 2),
      unit: '',
      bar: { max: 2 },
      rows,
    },
  ]
}

/** Deletes the traces that the measurement wrote, so that the next one starts with the same database. */
async function removeNewer({ server, tenant, data }: SeededSource): Promise<void> {
  const query = `start_date=${new Date(data.toMs).toISOString()}`
  const response = await fetch(`${server.url}/v1/${tenant.projectId}/traces?${query}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await createAdminKey(server.url, tenant.projectId)}` },
  })
  if (!response.ok) throw new Error(`deleting: ${response.status} ${await response.text()}`)
}

export async function benchExport(): Promise<Row[]> {
  return withSeeded(manyTraces, async (source) => {
    const rows: Row[] = []
    for (const format of ['jsonl', 'csv', 'json']) rows.push(...(await formatRows(source, format)))
    try {
      return [...rows, ...(await besideIngest(source))]
    } finally {
      await removeNewer(source)
    }
  })
}
