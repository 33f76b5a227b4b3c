import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createClient, type Tracing, tracing } from '@cairn/sdk'
import { median, type Row, round } from './support/results.ts'
import {
  buildServer,
  createTenant,
  productionServer,
  startServer,
  temporaryFolder,
} from './support/server.ts'

const rounds = 60
/** Traces between two flushes: one batch. */
const perRound = 200
const text = 'A cairn is a pile of stones that marks a path. '.repeat(11)

function small(traced: Tracing): void {
  traced.trace('small', () => 1)
}

/** A trace with two spans, their inputs and outputs, and tokens: about 4 KB as JSON. */
function typical(traced: Tracing, input = text): void {
  traced.trace('answer', (root) => {
    root.set({ input }).setTrace({ session_id: 'chat-3', user_id: 'user-7', tags: ['beta'] })
    traced.span('search', (span) => {
      span.set({ kind: 'retrieval', input })
      return [input]
    })
    return traced.span('explain', (span) => {
      span.set({
        kind: 'llm',
        model: 'gpt-4o-mini',
        token_usage: { prompt_tokens: 12, completion_tokens: 4 },
      })
      return input
    })
  })
}

/** Microseconds of a call, the median of the rounds; then its processor time with everything that sends it. */
async function costOf(traced: Tracing, record: (traced: Tracing) => void) {
  const calls: number[] = []
  let before = process.cpuUsage()
  for (let at = -10; at < rounds; at++) {
    if (at === 0) before = process.cpuUsage()
    const from = performance.now()
    for (let count = 0; count < perRound; count++) record(traced)
    if (at >= 0) calls.push(((performance.now() - from) / perRound) * 1000)
    await traced.flush()
  }
  const { user, system } = process.cpuUsage(before)
  return { call: median(calls), slowest: Math.max(...calls), all: (user + system) / (rounds * perRound) }
}

/** Megabytes of the heap without garbage. */
function heapMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

/** Heap growth after so many traces while the server is away. */
function heapWhileAway(traced: Tracing, count: number): number {
  const before = heapMb()
  // Each trace has a text of its own, as in an application.
  for (let at = 0; at < count; at++) typical(traced, Buffer.from(text).toString())
  return heapMb() - before
}

/** The tracing helper of the client, in the thread of the application. */
export async function benchSdk(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const server = await startServer({ command: productionServer, dataDir: folder.path })
  const { projectId, projectKey } = await createTenant(server.url)
  const traced = tracing(createClient({ baseUrl: server.url, apiKey: projectKey, projectId }))
  const empty = await costOf(traced, small)
  const usual = await costOf(traced, (own) => typical(own))
  const lost = traced.dropped
  await traced.close()
  await server.stop()
  folder.remove()

  const away = { baseUrl: 'http://127.0.0.1:9', apiKey: 'tk_a_b', projectId: 'proj_1', retry: false as const }
  const offline = tracing(createClient(away), { onDropped: () => {} })
  const filled = heapWhileAway(offline, 50_000)
  const later = heapWhileAway(offline, 500_000)
  await offline.close()
  const bar = { max: 20 }
  return [
    { what: 'trace() without spans, median', value: round(empty.call, 1), unit: 'µs', bar },
    { what: 'trace() with two spans and 4 KB, median', value: round(usual.call, 1), unit: 'µs', bar },
    { what: '… mean of the slowest 200 in a row', value: round(usual.slowest, 1), unit: 'µs' },
    { what: '… with its sending, processor time', value: round(usual.all, 1), unit: 'µs' },
    { what: 'lost traces', value: lost, unit: 'traces', bar: { max: 0 } },
    { what: 'heap for 50,000 traces while the server is away', value: round(filled), unit: 'MB' },
    { what: '… growth by 500,000 further traces', value: round(later, 1), unit: 'MB', bar: { max: 1 } },
  ]
}
