import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    migratedUrl: string
  }
}

/** A new database on the suite's PostgreSQL server: an empty one, or a copy of one that nobody is connected to. */
export async function createPostgresDatabase(template?: string): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `cairn_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`
  await client.query(`create database ${name}${copied}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

/** A copy of the database that has had the migrations, but nothing else. */
export const createMigratedDatabase = () => createPostgresDatabase(inject('migratedUrl'))

/** Both databases, and how a server of the black-box suite is configured for each. */
export const databases = [
  { database: 'SQLite', env: async (): Promise<Record<string, string>> => ({}) },
  { database: 'PostgreSQL', env: async () => ({ DATABASE_URL: await createMigratedDatabase() }) },
] as const

/** For suites about what no store sees: clients, wire formats, forms that are refused before anything is stored. */
export const oneDatabase = databases.slice(0, 1)
