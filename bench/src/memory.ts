import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Row, round } from './support/results.ts'
import {
  type BenchServer,
  buildServer,
  createTenant,
  memoryOf,
  productionServer,
  startServer,
  temporaryFolder,
} from './support/server.ts'
import { traceBody } from './support/traces.ts'

const documents = fileURLToPath(new URL('../../../shared/data/documents', import.meta.url))

/** A real PDF if one is next to the checkout, otherwise a text; the name shows which. */
function sampleDocument(): { name: string; bytes: Uint8Array<ArrayBuffer> } {
  const pdf = existsSync(documents) ? readdirSync(documents).find((file) => file.endsWith('.pdf')) : undefined
  if (pdf) return { name: pdf, bytes: new Uint8Array(readFileSync(join(documents, pdf))) }
  return {
    name: 'plain.txt',
    bytes: new TextEncoder().encode('The gauge rose through the night. '.repeat(3000)),
  }
}

/** One round of typical work: traces, a document, questions, lists. */
async function warmUp(url: string): Promise<string> {
  const { projectId, chatId, projectKey, chatKey } = await createTenant(url)
  const call = async (path: string, key: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await response.text()
  }
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  for (let i = 0; i < 200; i++) await call(`/v1/${projectId}/traces`, projectKey, json(traceBody(i)))
  const document = sampleDocument()
  const form = new FormData()
  form.set('file', new Blob([document.bytes]), document.name)
  await call(`/v1/${chatId}/upload_with_scopes`, chatKey, { method: 'POST', body: form })
  for (let i = 0; i < 20; i++) {
    await call(`/v1/${chatId}/answer_question`, chatKey, json({ question: 'What happened in the night?' }))
  }
  await call(`/v1/${projectId}/analytics/traces`, projectKey)
  await call(`/v1/${projectId}/analytics/metrics`, projectKey)
  return document.name
}

/** The supervisor shares most of its memory with the server, so the sum uses proportional set sizes. */
function rows(when: string, server: BenchServer): Row[] {
  const [own, supervisor] = [memoryOf(server.pid), memoryOf(server.rootPid)]
  const resident: Row[] = [
    { what: `resident, ${when}`, value: own.rss, unit: 'MB', bar: { max: 150 } },
    { what: `supervisor resident, ${when}`, value: supervisor.rss, unit: 'MB' },
  ]
  if (own.pss === undefined || supervisor.pss === undefined) return resident
  const both = round(own.pss + supervisor.pss)
  return [...resident, { what: `proportional with supervisor, ${when}`, value: both, unit: 'MB' }]
}

export async function benchMemory(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  // The first start fills the compile cache, as on a machine where Cairn has run before.
  await (await startServer({ command: productionServer, dataDir: folder.path })).stop()
  const server = await startServer({ command: productionServer, dataDir: folder.path, supervised: true })
  await pause(5000)
  const idle = rows('5 s after start', server)
  const document = await warmUp(server.url)
  await pause(15_000)
  const warm = rows(`15 s after a round of requests (${document})`, server)
  await server.stop()
  folder.remove()
  return [...idle, ...warm]
}
