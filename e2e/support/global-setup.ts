import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'
import { createDatabase } from './new-database.ts'
import { startServer } from './server.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

function run(path: string, args: string[], env: NodeJS.ProcessEnv = process.env): void {
  execFileSync(process.execPath, [pathOf(path), ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** A migrated database for copies, which take a third of the time of a migration. */
async function createMigrated(postgresUrl: string): Promise<string> {
  const url = await createDatabase(postgresUrl)
  run('server/bin/cairn.mjs', ['migrate'], { ...process.env, DATABASE_URL: url })
  return url
}

/** Lines that no shared server may log: errors, and secrets that suites send. Suites rely on it. */
const forbidden = /.*(?:"level":50|tk_[0-9a-z]+_[0-9a-f]|very-secret-words).*/g

/** Starts the two shared servers, one on each database. */
async function startSharedServers(postgresUrl: string, migrated: string) {
  // The statistics of a database that many suites fill at once lag behind, so some plans of scans are slow.
  const common = { CAIRN_WRONG_KEYS_PER_MINUTE: '100000', CAIRN_SCAN_SECONDS: '30' }
  const sqlite = await startServer({ env: common })
  const DATABASE_URL = await createDatabase(postgresUrl, migrated)
  const onPostgres = await startServer({ env: { ...common, DATABASE_URL } })
  return {
    urls: { SQLite: sqlite.url, PostgreSQL: onPostgres.url },
    async stop(): Promise<void> {
      await Promise.all([sqlite.stop(), onPostgres.stop()])
      const lines = [sqlite, onPostgres].flatMap((server) => server.output().match(forbidden) ?? [])
      if (lines.length > 0) throw new Error(`a shared server logged errors or secrets:\n${lines.join('\n')}`)
    },
  }
}

/** Starts a PostgreSQL server, in which suites create databases, and servers that suites share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { testFiles } = await project.globTestFiles()
  const isBlackBox = testFiles.some((file) => file.includes('/e2e/'))
  // The suites start the built server with the built dashboard, as users do. Unit tests need the server for its migrations.
  run('scripts/build-stale.mjs', isBlackBox ? ['server', 'web'] : ['server'])
  const postgres = await startPostgres({ isVolatile: true })
  const migrated = await createMigrated(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('migratedUrl', migrated)
  const servers = isBlackBox ? await startSharedServers(postgres.url, migrated) : undefined
  project.provide('sharedServers', servers?.urls ?? { SQLite: '', PostgreSQL: '' })
  return async () => {
    try {
      await servers?.stop()
    } finally {
      await postgres.stop()
    }
  }
}
