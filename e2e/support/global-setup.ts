import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'

const launcher = fileURLToPath(new URL('../../scripts/cairn.mjs', import.meta.url))

/** One PostgreSQL server for the whole run; each suite makes databases of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The suites start the built server, as users do; this builds it when its sources are newer.
  execFileSync(process.execPath, [launcher, 'help'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const postgres = await startPostgres({ fsync: 'off' })
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
