import { inject } from 'vitest'
import { createDatabase } from './new-database.ts'

type Database = 'SQLite' | 'PostgreSQL'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    migratedUrl: string
    sharedServers: Record<Database, string>
  }
}

/** A new database on the PostgreSQL server of the tests: empty, or a copy of a database without connections. */
export const createPostgresDatabase = (template?: string) => createDatabase(inject('postgresUrl'), template)

/** A copy of the empty, migrated database. */
export const createMigratedDatabase = () => createPostgresDatabase(inject('migratedUrl'))

/** Both databases, with the environment of a server for each. */
export const databases = [
  { database: 'SQLite', env: async (): Promise<Record<string, string>> => ({}) },
  { database: 'PostgreSQL', env: async () => ({ DATABASE_URL: await createMigratedDatabase() }) },
] as const

/** For suites that do not depend on the database: clients, wire formats, forms that are rejected before storage. */
export const oneDatabase = databases.slice(0, 1)

/**
 * A server on each database, for suites that need no special settings. They use their own projects, and change nothing that
 * other suites see. The end of the test run checks that no shared server has logged an error or a secret.
 */
export const sharedServer = (database: Database) => ({ url: inject('sharedServers')[database] })

/** The shared server on each database. */
export const sharedServers = (['SQLite', 'PostgreSQL'] as const).map((database) => ({
  database,
  server: sharedServer(database),
}))
