import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, deleteByKeys, insertRows } from '../../src/db/index.ts'
import { runFor } from '../../src/lib/current-work.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../src/lib/database-error.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject } from '../rows.ts'

const projectColumns = ['project_id', 'name', 'created_at']
const projects = (...ids: string[]) => ({
  table: 'project_rows' as const,
  columns: projectColumns,
  rows: ids.map((id) => [id, 'x', 1]),
})

async function exists(db: Db, id: string): Promise<boolean> {
  const query = db.read.selectFrom('projects').select('project_id').where('project_id', '=', id)
  return (await query.executeTakeFirst()) !== undefined
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describeEachDatabase('the database', (database) => {
  it('rolls back a transaction that throws, and continues', async () => {
    const id = newId('proj_')
    const error = await failure(
      database.db.transaction(async (trx) => {
        await trx.insertInto('project_rows').values({ project_id: id, name: 'x', created_at: 1 }).execute()
        throw new Error('changed my mind')
      }),
    )
    expect(error).toMatchObject({ message: 'changed my mind' })
    expect(await exists(database.db, id)).toBe(false)
    expect(await exists(database.db, await addProject(database.db))).toBe(true)
  })

  it('shows changes of a transaction only after its commit', async () => {
    const id = newId('proj_')
    await database.db.transaction(async (trx) => {
      await trx.insertInto('project_rows').values({ project_id: id, name: 'x', created_at: 1 }).execute()
      expect(await exists(database.db, id)).toBe(false)
    })
    expect(await exists(database.db, id)).toBe(true)
  })

  it('isolates many concurrent transactions', async () => {
    const id = await addProject(database.db)
    const count = (trx: Pick<Db['read'], 'selectFrom'>) =>
      trx.selectFrom('projects').select('created_at').where('project_id', '=', id).executeTakeFirstOrThrow()
    await database.db.transaction((trx) =>
      trx.updateTable('project_rows').set({ created_at: 0 }).where('project_id', '=', id).execute(),
    )
    const work = Array.from({ length: 30 }, (_, i) =>
      failure(
        database.db.transaction(async (trx) => {
          await trx
            .updateTable('project_rows')
            .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
            .where('project_id', '=', id)
            .execute()
          if (i % 3 === 0) throw new Error('undo')
        }),
      ),
    )
    const inserts = Array.from({ length: 10 }, () => database.db.insertAll([projects(newId('proj_'))]))
    const errors = await Promise.all([...work, ...inserts])
    expect(errors.filter(Boolean)).toHaveLength(10)
    expect((await count(database.db.read)).created_at).toBe(20)
  })

  it('lets the reads of one tenant wait for its own slow ones, and not those of others', async () => {
    const ended: string[] = []
    const read = (name: string) =>
      runFor([name], async () => {
        const numbers = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000)
          select count(*) from n`
        await numbers.execute(database.db.read)
        ended.push(name)
      })
    const many = Array.from({ length: 60 }, () => read('many'))
    await Promise.all([...many, read('one')])
    // Those that had begun came first.
    expect(ended.indexOf('one')).toBeLessThan(20)
  })

  it('inserts all rows of a call and runs its later statements, or does nothing', async () => {
    const [a, b] = [newId('proj_'), newId('proj_')]
    const rename = database.db.read
      .updateTable('project_rows')
      .set({ name: 'y' })
      .where('project_id', '=', a)
      .compile()
    await database.db.insertAll([projects(a)], [rename])
    const query = database.db.read.selectFrom('projects').select('name').where('project_id', '=', a)
    expect(await query.executeTakeFirst()).toEqual({ name: 'y' })
    expect(await failure(database.db.insertAll([projects(b), projects(a)]))).toBeDefined()
    expect(await exists(database.db, b)).toBe(false)
    const bad = database.db.read
      .updateTable('project_rows')
      .set({ project_id: a })
      .where('project_id', '=', b)
      .compile()
    expect(await failure(database.db.insertAll([projects(b)], [bad]))).toBeDefined()
    expect(await exists(database.db, b)).toBe(false)
  })

  it('inserts more rows than one statement can have parameters', async () => {
    const ids = Array.from({ length: 30_000 }, () => newId('proj_'))
    await database.db.insertAll([projects(...ids)])
    expect(await exists(database.db, ids[0] ?? '')).toBe(true)
    expect(await exists(database.db, ids.at(-1) ?? '')).toBe(true)
    await database.db.insertAll([projects()])
  })

  it('distinguishes unique and foreign key violations, in every way of writing', async () => {
    const { db } = database
    const projectId = await addProject(db)
    const twice = { project_id: projectId, name: 'x', created_at: 1 }
    const orphan = { project_id: 'proj_none', trace_id: newId('trc_'), created_at: 1, status: 'success' }
    const unique = [
      () => db.insertAll([projects(projectId)]),
      () => db.transaction((trx) => trx.insertInto('project_rows').values(twice).execute()),
    ]
    const foreign = [
      () => db.insertAll([{ table: 'traces', columns: Object.keys(orphan), rows: [Object.values(orphan)] }]),
      () =>
        db.transaction((trx) =>
          trx
            .insertInto('traces')
            .values(orphan as never)
            .execute(),
        ),
    ]
    for (const work of unique) {
      const error = await failure(work())
      expect([isUniqueViolation(error), isForeignKeyViolation(error)]).toEqual([true, false])
    }
    for (const work of foreign) {
      const error = await failure(work())
      expect([isUniqueViolation(error), isForeignKeyViolation(error)]).toEqual([false, true])
    }
  })

  it('returns 64-bit integers as numbers, and floats exactly', async () => {
    const { db } = database
    const projectId = await addProject(db)
    for (const created of [0, -1, 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      for (const float of [0, 0.1, 1e-300, 1e300, 123.25]) {
        const trace_id = newId('trc_')
        const row = {
          project_id: projectId,
          trace_id,
          created_at: created,
          status: 'success',
          latency_ms: float,
        }
        await db.insertAll([{ table: 'traces', columns: Object.keys(row), rows: [Object.values(row)] }])
        const query = db.read
          .selectFrom('traces')
          .select(['created_at', 'latency_ms'])
          .where('trace_id', '=', trace_id)
        expect(await query.executeTakeFirst()).toEqual({ created_at: created, latency_ms: float })
      }
    }
    const { count } = await db.read
      .selectFrom('traces')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    expect(count).toBe(35)
  })

  it('stores any rows exactly, in every way of writing, and deletes exactly the rows with the given keys', async () => {
    const { db } = database
    const columns = ['project_id', 'trace_id', 'created_at', 'status', 'model', 'user_id', 'latency_ms']
    const text = fc.oneof(
      fc.constantFrom('', 'NULL', 'null', '{}', '{a,b}', '"', '\\', "'", ',', '\n', '日本', '😀', '\\"'),
      fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0')),
    )
    const latency = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true }).map((each) => each + 0),
    )
    const values = fc.tuple(fc.integer(), text, fc.option(text), fc.option(text), fc.option(latency))
    const stored = async (projectId: string) => {
      const query = db.read
        .selectFrom('traces')
        .select(columns as never)
        .where('project_id', '=', projectId)
      const found = (await query.orderBy('trace_id').execute()) as object[]
      return found.map((row) => Object.values(row))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 20 }), fc.nat(), async (lists, kept) => {
        for (const write of ['insertAll', 'insertRows'] as const) {
          const projectId = await addProject(db)
          const rows = lists.map((list, i) => [projectId, `trc_${String(i).padStart(3, '0')}`, ...list])
          const insert = { table: 'traces' as const, columns, rows }
          if (write === 'insertAll') await db.insertAll([insert])
          else await db.transaction((trx) => insertRows(trx, insert))
          expect(await stored(projectId)).toEqual(rows)

          const isKept = (_: unknown, i: number) => i % 3 === kept % 3
          const keys = rows.filter((row, i) => !isKept(row, i)).map((row) => row.slice(0, 4))
          const by = { columns: columns.slice(0, 4), keys }
          await db.transaction((trx) => deleteByKeys(trx, 'traces', by))
          expect(await stored(projectId)).toEqual(rows.filter(isKept))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('returns stored bytes unchanged', async () => {
    const { db } = database
    const projectId = await addProject(db)
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    for (const body of [Buffer.alloc(0), all, Buffer.alloc(3_000_000, all)]) {
      const trace_id = newId('trc_')
      await db.insertAll([
        {
          table: 'traces',
          columns: ['project_id', 'trace_id', 'created_at', 'status'],
          rows: [[projectId, trace_id, 1, 's']],
        },
        {
          table: 'trace_bodies',
          columns: ['project_id', 'trace_id', 'body'],
          rows: [[projectId, trace_id, body]],
        },
      ])
      const query = db.read.selectFrom('trace_bodies').select('body').where('trace_id', '=', trace_id)
      expect(Buffer.compare(Buffer.from((await query.executeTakeFirstOrThrow()).body), body)).toBe(0)
    }
  })

  it('streams one snapshot during concurrent writes and deletions', async () => {
    const { db } = database
    const name = newId('snapshot')
    const rows = (from: number) =>
      Array.from({ length: 1000 }, (_, i) => [`${name}_${from + i}`, name, from + i])
    const insert = (from: number) =>
      db.insertAll([{ table: 'project_rows', columns: projectColumns, rows: rows(from) }])
    await insert(0)
    const seen: number[] = []
    for await (const row of db.read
      .selectFrom('projects')
      .select('created_at')
      .where('name', '=', name)
      .stream(50)) {
      if (seen.length === 10) await insert(1000)
      if (seen.length === 60) {
        await db.transaction((trx) =>
          trx.deleteFrom('project_rows').where('name', '=', name).where('created_at', '<', 500).execute(),
        )
      }
      seen.push(row.created_at)
    }
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i))
    const left = await db.read.selectFrom('projects').select('project_id').where('name', '=', name).execute()
    expect(left).toHaveLength(1500)
  })

  it('closes streams that are not read to their end', async () => {
    for (let i = 0; i < 30; i++) {
      for await (const _ of database.db.read.selectFrom('projects').select('name').stream(10)) break
    }
    expect(await exists(database.db, await addProject(database.db))).toBe(true)
  })

  it('shows the writes of another process', async () => {
    const other = await database.openAgain()
    const id = await addProject(other)
    expect(await exists(database.db, id)).toBe(true)
    await Promise.all([
      ...Array.from({ length: 20 }, () => database.db.insertAll([projects(newId('proj_'))])),
      ...Array.from({ length: 20 }, () => other.insertAll([projects(newId('proj_'))])),
    ])
  })

  it('retries after a deadlock', async () => {
    const { db } = database
    const [a, b] = [await addProject(db), await addProject(db)]
    if (db.dialect === 'sqlite') return
    const touch = (first: string, second: string) =>
      db.transaction(async (trx) => {
        for (const id of [first, second]) {
          await trx
            .updateTable('project_rows')
            .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
            .where('project_id', '=', id)
            .execute()
          await sql`select pg_sleep(0.05)`.execute(trx)
        }
      })
    const before = await db.read
      .selectFrom('projects')
      .select('created_at')
      .where('project_id', '=', a)
      .executeTakeFirstOrThrow()
    await Promise.all([touch(a, b), touch(b, a)])
    const after = await db.read
      .selectFrom('projects')
      .select('created_at')
      .where('project_id', '=', a)
      .executeTakeFirstOrThrow()
    expect(after.created_at - before.created_at).toBe(2)
  })
})
