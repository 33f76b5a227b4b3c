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

/** A database that has had the migrations, for suites to copy: a third of the work of migrating each. */
async function createMigrated(postgresUrl: string): Promise<string> {
  const url = await createDatabase(postgresUrl)
  run('server/bin/cairn.mjs', ['migrate'], { ...process.env, DATABASE_URL: url })
  return url
}

/**
 * One PostgreSQL server for the whole run, where suites make databases of their own, and a server of Cairn on either
 * database for the suites that need none of their own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The suites start the built server with the built dashboard, as users do.
  run('scripts/build-stale.mjs', ['server', 'web'])
  const postgres = await startPostgres({ fsync: 'off' })
  const migrated = await createMigrated(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('migratedUrl', migrated)
  const common = { CAIRN_WRONG_KEYS_PER_MINUTE: '100000' }
  const sqlite = await startServer({ env: common })
  const DATABASE_URL = await createDatabase(postgres.url, migrated)
  const onPostgres = await startServer({ env: { ...common, DATABASE_URL } })
  project.provide('sharedServers', { SQLite: sqlite.url, PostgreSQL: onPostgres.url })
  return async () => {
    await Promise.all([sqlite.stop(), onPostgres.stop()])
    await postgres.stop()
    const errors = [sqlite, onPostgres].flatMap((server) => server.output().match(/.*"level":50.*/g) ?? [])
    if (errors.length > 0) throw new Error(`a shared server logged errors:\n${errors.join('\n')}`)
  }
}
