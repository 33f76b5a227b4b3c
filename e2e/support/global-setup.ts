import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.ts'

/** One PostgreSQL server for the whole run; each suite makes databases of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ fsync: 'off' })
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
