import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../e2e/support/free-port.ts'
import { createDatabase } from '../../../e2e/support/new-database.ts'
import { type Postgres, startPostgres } from '../../../scripts/postgres.ts'
import { sampleText } from '../support/sample-documents.ts'
import { seedTrace } from '../support/seed-traces.ts'
import {
  adminToken,
  type BenchServer,
  buildServer,
  createAdminKey,
  createTenant,
  productionServer,
  startServer,
  temporaryFolder,
} from '../support/server.ts'
import { fileBody, inChat, inProject, jsonBody, parsed, type Target } from './client.ts'

const victimTraces = 10_000
const attackerTraces = 60_000
const batchSize = 500

export interface Stage {
  server: BenchServer
  victim: Target
  attacker: Target
  /** The process that listens now; the supervisor may have replaced the first one. */
  serverPid(): number
  /** Number of restarts of the server process. */
  restarts(): number
  /** Number of errors in the log. */
  errorLines(): number
  stop(): Promise<void>
}

/** Creates a tenant whose key has every permission. */
export async function createTarget(url: string): Promise<Target> {
  const tenant = await createTenant(url)
  const projectKey = await createAdminKey(url, tenant.projectId)
  return { url, adminToken, ...tenant, projectKey }
}

/** Records traces over the last twenty hours, and uploads some documents. */
async function fill(target: Target, traces: number): Promise<void> {
  const now = Date.now()
  for (let from = 0; from < traces; from += batchSize) {
    const batch = Array.from({ length: batchSize }, (_, at) =>
      seedTrace(from + at, now - (1 - (from + at) / traces) * 72_000_000),
    )
    parsed(await inProject(target, 'POST', 'traces/batch', jsonBody({ traces: batch })))
  }
  for (let at = 0; at < 3; at++) {
    const text = `${sampleText(20_000, at, 'gauge')}\n\nThe gauge on the north pier shows three metres.`
    parsed(await inChat(target, 'POST', 'upload_with_scopes', fileBody(`note-${at}.md`, text)))
  }
}

/** Seeds a victim and an attacker once. Each attack gets a server with a copy of their data. */
export class Theatre {
  readonly #folder = temporaryFolder()
  readonly #postgres: Postgres | undefined
  #seededUrl: string | undefined
  #victim: Target | undefined
  #attacker: Target | undefined
  #stages = 0

  private constructor(postgres: Postgres | undefined) {
    this.#postgres = postgres
  }

  static async build(usesPostgres: boolean): Promise<Theatre> {
    buildServer()
    const theatre = new Theatre(usesPostgres ? await startPostgres() : undefined)
    await theatre.#seed().catch(async (error: unknown) => {
      await theatre.close()
      throw error
    })
    return theatre
  }

  async #seed(): Promise<void> {
    const dataDir = join(this.#folder.path, 'seeded')
    mkdirSync(dataDir)
    this.#seededUrl = this.#postgres && (await createDatabase(this.#postgres.url))
    const server = await startServer({ command: productionServer, dataDir, env: this.#env(this.#seededUrl) })
    try {
      this.#victim = await createTarget(server.url)
      this.#attacker = await createTarget(server.url)
      await fill(this.#victim, victimTraces)
      await fill(this.#attacker, attackerTraces)
    } finally {
      await server.stop()
    }
  }

  #env(databaseUrl: string | undefined): Record<string, string> {
    return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  }

  async open(env: Record<string, string> = {}): Promise<Stage> {
    const [victim, attacker] = [this.#victim, this.#attacker]
    if (!victim || !attacker) throw new Error('nothing is seeded')
    const dataDir = join(this.#folder.path, `stage-${this.#stages++}`)
    cpSync(join(this.#folder.path, 'seeded'), dataDir, { recursive: true })
    const database = this.#postgres && (await createDatabase(this.#postgres.url, this.#seededUrl))
    // A restarted process must have the same address.
    const fixed = { PORT: String(await freePort()), ...this.#env(database), ...env }
    const server = await startServer({ command: productionServer, dataDir, env: fixed, supervised: true })
    const logged = (line: RegExp) => [...readFileSync(server.log, 'utf8').matchAll(line)]
    const listening = () => logged(/.*"pid":(\d+).*"msg":"listening"/g)
    return {
      server,
      victim: { ...victim, url: server.url },
      attacker: { ...attacker, url: server.url },
      serverPid: () => Number(listening().at(-1)?.[1] ?? server.pid),
      restarts: () => listening().length - 1,
      errorLines: () => logged(/"level":[56]0/g).length,
      stop: () => server.stop(),
    }
  }

  async close(): Promise<void> {
    await this.#postgres?.stop()
    this.#folder.remove()
  }
}
