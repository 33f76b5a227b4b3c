import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { createMigratedDatabase, createPostgresDatabase } from '../../e2e/support/databases.ts'
import { type Db, migrate, openDatabase } from '../src/db/index.ts'

/** The database of a test suite. */
export interface TestDatabase {
  readonly db: Db
  /** Opens the same database again, like a second process; closed after the suite. */
  openAgain(): Promise<Db>
  /** Opens another new database without migrations; closed after the suite. */
  openEmpty(): Promise<{ db: Db; openAgain(): Promise<Db> }>
}

interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

/** Runs a suite on SQLite and on PostgreSQL, each with an empty, migrated database. */
export function describeEachDatabase(name: string, suite: (database: TestDatabase) => void): void {
  describe.each(['SQLite', 'PostgreSQL'])(`${name}, on %s`, (kind) => {
    const opened: Db[] = []
    const folders: string[] = []
    let place: Place
    let db: Db | undefined

    async function newPlace(createDatabase: () => Promise<string>): Promise<Place> {
      const dataDir = await mkdtemp(join(tmpdir(), 'cairn-store-'))
      folders.push(dataDir)
      return { dataDir, databaseUrl: kind === 'PostgreSQL' ? await createDatabase() : undefined }
    }

    async function open(at: Place): Promise<Db> {
      const fresh = await openDatabase({ ...at, readerThreads: 1, maxExports: 2, maxScans: 1, poolSize: 6 })
      opened.push(fresh)
      return fresh
    }

    beforeAll(async () => {
      place = await newPlace(createMigratedDatabase)
      db = await open(place)
      await migrate(db)
    })
    afterAll(async () => {
      await Promise.all(opened.map((each) => each.close()))
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    })

    suite({
      get db() {
        if (!db) throw new Error('the database is open inside of tests and hooks only')
        return db
      },
      openAgain: () => open(place),
      openEmpty: async () => {
        const at = await newPlace(() => createPostgresDatabase())
        return { db: await open(at), openAgain: () => open(at) }
      },
    })
  })
}
