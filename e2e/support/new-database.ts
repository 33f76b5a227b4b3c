import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Creates a database on a PostgreSQL server: empty, or a copy of a database without connections. Returns its URL. */
export async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const url = new URL(serverUrl)
  const name = `cairn_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`
  await client.query(`create database ${name}${copied}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}
