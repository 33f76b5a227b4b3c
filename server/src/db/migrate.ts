import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { packageRoot } from '../lib/package.ts'
import type { Db, Trx } from './database.ts'

const folder = new URL('migrations/', packageRoot)
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/

/** An arbitrary constant: the advisory lock that lets one process at a time migrate PostgreSQL. */
const migrationLock = 4_211_001

interface Migration {
  number: number
  name: string
  statements: string[]
}

async function readMigrations(dialect: Db['dialect']): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => fileName.test(name)).sort()
  return Promise.all(
    names.map(async (name, index) => {
      if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name} is out of sequence`)
      const text = await readFile(new URL(name, folder), 'utf8')
      return { number: index + 1, name, statements: toStatements(text, dialect) }
    }),
  )
}

/** Placeholders in the migrations for syntax that differs between the databases. */
const words: Record<Db['dialect'], Record<string, string>> = {
  sqlite: { bytes: 'blob', integers: 'blob', clustered: 'without rowid' },
  postgres: { bytes: 'bytea', integers: 'integer[]', clustered: '', postgres: '' },
}

/** A semicolon ends a statement, because migrations contain no string with a semicolon and no trigger. */
function toStatements(text: string, dialect: Db['dialect']): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(
      (statement) => statement !== '' && (dialect === 'postgres' || !statement.startsWith('{postgres}')),
    )
    .map((statement) => statement.replace(/\{(\w+)\}/g, (mark, word) => words[dialect][word] ?? mark))
}

async function apply(trx: Trx, dialect: Db['dialect'], migrations: Migration[]): Promise<number> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx)
  await sql`create table if not exists migrations (
    number integer not null, name text not null, applied_at bigint not null,
    constraint migrations_pk primary key (number))`.execute(trx)
  const done = await sql<{ number: number }>`select number from migrations`.execute(trx)
  const applied = new Set(done.rows.map((row) => row.number))
  if (Math.max(0, ...applied) > migrations.length) {
    throw new Error(
      'the database was made by a newer version of Cairn; start that version, or restore a backup',
    )
  }
  const missing = migrations.filter((migration) => !applied.has(migration.number))
  for (const migration of missing) {
    for (const statement of migration.statements) await sql.raw(statement).execute(trx)
    await sql`insert into migrations (number, name, applied_at)
      values (${migration.number}, ${migration.name}, ${Date.now()})`.execute(trx)
  }
  return missing.length
}

/** Migrates the schema in one transaction; returns the number of applied migrations. */
export async function migrate(db: Db): Promise<number> {
  const migrations = await readMigrations(db.dialect)
  if (migrations.length === 0) throw new Error('no migrations found beside the server')
  return db.transaction((trx) => apply(trx, db.dialect, migrations))
}

/** The number of applied migrations and the number of known ones; writes nothing. */
export async function migrationState(db: Db): Promise<{ applied: number; known: number }> {
  const known = (await readMigrations(db.dialect)).length
  const tables = await db.read.introspection.getTables()
  if (!tables.some(({ name }) => name === 'migrations')) return { applied: 0, known }
  const { rows } = await sql<{ applied: number }>`select count(*) as applied from migrations`.execute(db.read)
  return { applied: Number(rows[0]?.applied), known }
}
