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

/** A new database on the suite's PostgreSQL server: an empty one, or a copy of one that nobody is connected to. */
export const createPostgresDatabase = (template?: string) => createDatabase(inject('postgresUrl'), template)

/** A copy of the database that has had the migrations, but nothing else. */
export const createMigratedDatabase = () => createPostgresDatabase(inject('migratedUrl'))

/** Both databases, and how a server of the black-box suite is configured for each. */
export const databases = [
  { database: 'SQLite', env: async (): Promise<Record<string, string>> => ({}) },
  { database: 'PostgreSQL', env: async () => ({ DATABASE_URL: await createMigratedDatabase() }) },
] as const

/** For suites about what no store sees: clients, wire formats, forms that are refused before anything is stored. */
export const oneDatabase = databases.slice(0, 1)

/**
 * A server that suites share if they need no special settings. They work in projects of their own and change nothing that
 * other suites see. The end of the run checks that no shared server logged an error or a secret.
 */
export const sharedServer = (database: Database) => ({ url: inject('sharedServers')[database] })

/** The shared server on each database. */
export const sharedServers = (['SQLite', 'PostgreSQL'] as const).map((database) => ({
  database,
  server: sharedServer(database),
}))
