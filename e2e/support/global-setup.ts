import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'

const launcher = fileURLToPath(new URL('../../scripts/cairn.mjs', import.meta.url))

/** A database that has had the migrations, for suites to copy: a third of the work of migrating each. */
async function createMigrated(postgresUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query('create database cairn_migrated')
  await client.end()
  const url = new URL('/cairn_migrated', postgresUrl).href
  const env = { ...process.env, DATABASE_URL: url }
  // The suites start the built server, as users do; this builds it when its sources are newer.
  execFileSync(process.execPath, [launcher, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return url
}

/** One PostgreSQL server for the whole run; each suite makes databases of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ fsync: 'off' })
  project.provide('postgresUrl', postgres.url)
  project.provide('migratedUrl', await createMigrated(postgres.url))
  return () => postgres.stop()
}
