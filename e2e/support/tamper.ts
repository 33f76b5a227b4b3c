import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Runs statements without the constraints of the schema. */
export async function tamper(
  { dataDir, env }: { dataDir: string; env: Record<string, string> },
  ...statements: string[]
): Promise<void> {
  if (env.DATABASE_URL === undefined) {
    const file = `${dataDir}/cairn.db`
    const db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false })
    for (const statement of statements) db.exec(statement)
    db.close()
    return
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Reads rows directly from the database. */
export async function rowsBehind(
  { dataDir, env }: { dataDir: string; env: Record<string, string> },
  query: string,
): Promise<Record<string, unknown>[]> {
  if (env.DATABASE_URL === undefined) {
    const db = new DatabaseSync(`${dataDir}/cairn.db`, { timeout: 5000, readOnly: true })
    const rows = db.prepare(query).all()
    db.close()
    return rows
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}
