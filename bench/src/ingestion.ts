import { setTimeout as pause } from 'node:timers/promises'
import { createChat } from './support/chat.ts'
import { type LoadResult, runLoad } from './support/load.ts'
import { median, type Row, round } from './support/results.ts'
import { sampleReport, sampleText } from './support/sample-documents.ts'
import {
  type BenchServer,
  buildServer,
  createTenant,
  memoryOf,
  productionServer,
  startServer,
  type Tenant,
  temporaryFolder,
} from './support/server.ts'
import { traceBodies } from './support/traces.ts'

const textBytes = 5 * 1024 * 1024
const pages = 200
const rounds = 3
const loadSeconds = 12
const perSecond = 100

interface Target {
  server: BenchServer
  tenant: Tenant
}

interface Sample {
  name: string
  content: string | Uint8Array<ArrayBuffer>
  marker: string
}

const textSample = (seed: number): Sample => {
  const marker = `zanzibarine${seed}`
  return { name: `text-${seed}.md`, content: sampleText(textBytes, seed, marker), marker }
}

const reportSample = (seed: number): Sample => {
  const marker = `quicksilvery${seed}`
  return { name: `report-${seed}.pdf`, content: sampleReport(pages, seed, marker), marker }
}

/** Milliseconds of an upload to a new chat and of the following search, which must find the file by its marker. */
async function timeUpload(url: string, { name, content, marker }: Sample) {
  const chat = await createChat(url)
  const from = performance.now()
  const { file_id, chunk_count } = await chat.upload(name, content)
  const uploaded = performance.now()
  const [best] = await chat.search(marker, 3)
  if (best?.file_id !== file_id) throw new Error(`${name} is not found by ${marker}`)
  const searched = performance.now()
  return { upload: uploaded - from, search: searched - uploaded, all: searched - from, chunks: chunk_count }
}

async function singleRows(
  { server }: Target,
  what: string,
  sampleOf: (seed: number) => Sample,
  max: number,
): Promise<Row[]> {
  const times: Awaited<ReturnType<typeof timeUpload>>[] = []
  for (let seed = 1; seed <= rounds; seed++) times.push(await timeUpload(server.url, sampleOf(seed)))
  const of = (pick: (time: (typeof times)[number]) => number) => round(median(times.map(pick)))
  return [
    { what: `${what}: upload and first search`, value: of((t) => t.all), unit: 'ms', bar: { max } },
    { what: `${what}: the first search alone`, value: of((t) => t.search), unit: 'ms' },
    { what: `${what}: chunks`, value: of((t) => t.chunks), unit: '' },
  ]
}

/** Records single traces and reads the newest hundred, both at a constant rate. */
async function otherRequests({ server, tenant }: Target): Promise<{ write: LoadResult; list: LoadResult }> {
  const common = { url: server.url, key: tenant.projectKey, connections: 16, seconds: loadSeconds }
  const base = `/v1/${tenant.projectId}`
  const [write, list] = await Promise.all([
    runLoad({ ...common, path: `${base}/traces`, bodies: traceBodies(500), rate: perSecond }),
    runLoad({
      ...common,
      path: `${base}/analytics/traces`,
      method: 'GET',
      bodies: [''],
      rate: perSecond / 2,
    }),
  ])
  return { write, list }
}

/** Eight uploads at once, five texts and three PDFs, repeated until `until` has settled. */
async function uploadsMeanwhile(url: string, samples: readonly Sample[], until: Promise<unknown>) {
  let isOver = false
  until.finally(() => {
    isOver = true
  })
  const times: number[] = []
  do {
    const from = performance.now()
    await Promise.all(samples.map((sample) => timeUpload(url, sample)))
    times.push(performance.now() - from)
  } while (!isOver)
  return times
}

async function peakMemory(pid: number, until: Promise<unknown>): Promise<number> {
  let isOver = false
  until.finally(() => {
    isOver = true
  })
  let peak = 0
  for (; !isOver; await pause(20)) peak = Math.max(peak, memoryOf(pid).rss)
  return peak
}

/** Five texts and three PDFs. */
const eightSamples = () => [1, 2, 3, 4, 5].map(textSample).concat([6, 7, 8].map(reportSample))

async function manyRows(target: Target): Promise<Row[]> {
  const { server } = target
  const samples = eightSamples()
  const quiet = await otherRequests(target)
  const load = otherRequests(target)
  const uploads = uploadsMeanwhile(server.url, samples, load)
  const [meanwhile, times, peak] = await Promise.all([load, uploads, peakMemory(server.pid, uploads)])
  const p99 = (what: string, at: 'write' | 'list'): Row[] => [
    { what: `${what}, p99 without uploads`, value: quiet[at].p99Ms, unit: 'ms' },
    { what: `${what}, p99 during 8 uploads`, value: meanwhile[at].p99Ms, unit: 'ms', bar: { max: 50 } },
    { what: `${what}, longest during 8 uploads`, value: meanwhile[at].maxMs, unit: 'ms' },
  ]
  return [
    { what: '8 uploads at once, all searchable', value: round(median(times)), unit: 'ms' },
    { what: '8 uploads at once, most memory', value: peak, unit: 'MB' },
    ...p99(`single traces, ${perSecond}/s`, 'write'),
    ...p99(`list of traces, ${perSecond / 2}/s`, 'list'),
  ]
}

/** Memory must not grow with the number of waiting uploads; uploads that wait too long are rejected. */
async function crowdRows({ server }: Target): Promise<Row[]> {
  const samples = [eightSamples(), eightSamples(), eightSamples()].flat()
  const uploads = Promise.allSettled(samples.map((sample) => timeUpload(server.url, sample)))
  const peak = await peakMemory(server.pid, uploads)
  const stored = (await uploads).filter(({ status }) => status === 'fulfilled').length
  return [
    { what: '24 uploads at once, most memory', value: peak, unit: 'MB' },
    { what: '… stored within 30 s, the others refused', value: stored, unit: '' },
  ]
}

/** Measures the duration of uploads and their effect on other requests. */
export async function benchIngestion(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const nodeOptions = process.env.CAIRN_BENCH_NODE_OPTIONS?.split(' ')
  const server = await startServer({
    command: productionServer,
    dataDir: folder.path,
    ...(nodeOptions && { nodeOptions }),
  })
  const target = { server, tenant: await createTenant(server.url) }
  const rows = [
    ...(await singleRows(target, '5 MB of text', textSample, 3000)),
    ...(await singleRows(target, `PDF of ${pages} pages`, reportSample, 15_000)),
    ...(await manyRows(target)),
    ...(await crowdRows(target)),
  ]
  await server.stop()
  folder.remove()
  return rows
}
