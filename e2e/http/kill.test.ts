import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { killFaults } from '../support/kill-audit.ts'
import { KillClients, type Pdf } from '../support/kill-clients.ts'
import { seededRandom } from '../support/random.ts'
import { killStartingServer, startServer } from '../support/server.ts'

const pdfFile = new URL('../../../shared/data/documents/20080108X00031.pdf', import.meta.url)
const rounds = { SQLite: 12, PostgreSQL: 4 }
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31))
console.info(`the kill test's moments come from KILL_SEED=${seed}`)

interface Round {
  tenant: Tenant
  clients: KillClients
  inFlightAtKill: number
}

/** One real PDF, if it is beside the checkout, and the result of an undisturbed upload. */
async function loadPdf(env: Record<string, string>): Promise<Pdf | undefined> {
  if (!existsSync(pdfFile)) return undefined
  const bytes = readFileSync(pdfFile)
  const server = await startServer({ env })
  const { chat, chatId } = await createTenant(server.url)
  const { body } = await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm('report.pdf', bytes))
  await server.stop()
  return { bytes, chunkCount: body.chunk_count }
}

describe.each(databases)('kill -9 at random moments, on $database', ({ database, env }) => {
  const random = seededRandom(seed)
  let numbers = 0
  const draw = () => ++numbers
  const done: Round[] = []
  let dataDir: string
  let environment: Record<string, string>
  let pdf: Pdf | undefined

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-kill-'))
    environment = await env()
    pdf = await loadPdf(environment)
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  /** Starts the server, checks the previous round, and writes until the kill. */
  async function playRound(): Promise<string[]> {
    const server = await startServer({ dataDir, env: environment })
    const last = done.at(-1)
    const faults = last ? await killFaults(server.url, last.tenant, last.clients.promises, pdf) : []
    const tenant = await createTenant(server.url)
    const clients = new KillClients(tenant, draw, pdf)
    const gone = clients.run()
    // Ensures that the audit contains a PDF, also on a busy machine.
    if (pdf && done.length === 0) await clients.untilUploaded('.pdf')
    await new Promise((resolve) => setTimeout(resolve, 50 + 1400 * random()))
    done.push({ tenant, clients, inFlightAtKill: clients.inFlight })
    await server.kill()
    await gone
    return faults
  }

  it('starts after a kill at any moment of a start, including the first start', async () => {
    for (let i = 0; i < 6; i++) await killStartingServer({ dataDir, env: environment }, 500 * random())
    const server = await startServer({ dataDir, env: environment })
    await createTenant(server.url)
    await server.kill()
  })

  it('keeps all acknowledged data and leaves no incomplete data', { timeout: 180_000 }, async () => {
    for (let round = 1; round <= rounds[database]; round++) {
      expect(await playRound(), `after kill ${round - 1}, KILL_SEED=${seed}`).toEqual([])
    }
    const server = await startServer({ dataDir, env: environment })
    for (const { tenant, clients } of done) {
      expect(await killFaults(server.url, tenant, clients.promises, pdf), `KILL_SEED=${seed}`).toEqual([])
    }
    expect(await server.stop()).toBe(0)
  })

  it('was killed during writes: most kills interrupted requests, and each kind of write was acknowledged', () => {
    const hit = done.filter(({ inFlightAtKill, clients }) => inFlightAtKill > 0 && clients.lost > 0)
    expect(hit.length).toBeGreaterThan(done.length * 0.8)
    const promises = done.map(({ clients }) => clients.promises)
    const traces = promises.reduce((sum, { traces }) => sum + traces.size, 0)
    const documents = promises.flatMap(({ documents }) => [...documents.values()])
    console.info(`${database}: acknowledged ${traces} traces and ${documents.length} documents`)
    expect(traces).toBeGreaterThan(rounds[database] * 10)
    expect(documents.length).toBeGreaterThan(rounds[database])
    if (pdf) expect(documents.some(({ filename }) => filename.endsWith('.pdf'))).toBe(true)
    expect(documents.every(({ chunkCount }) => chunkCount > 1)).toBe(true)
    expect(done.flatMap(({ clients }) => clients.unexpected)).toEqual([])
  })
})
