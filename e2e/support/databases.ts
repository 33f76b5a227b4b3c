import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** A new, empty database on the suite's PostgreSQL server. */
export async function createPostgresDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `cairn_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

/** Both databases, and how a server of the black-box suite is configured for each. */
export const databases = [
  { database: 'SQLite', env: async (): Promise<Record<string, string>> => ({}) },
  { database: 'PostgreSQL', env: async () => ({ DATABASE_URL: await createPostgresDatabase() }) },
] as const
