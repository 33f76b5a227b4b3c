import { defaultChatSettings } from '@cairn/contract'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, migrate } from '../../src/db/index.ts'
import { createChatStore } from '../../src/domains/chats/store.ts'
import { createGraphStore, linksOf } from '../../src/domains/graph/store.ts'
import { chunksOf } from '../chunks-of.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, addProject, addUser, chatRow, newDocument } from '../rows.ts'

const applied = async (db: Db) =>
  (await sql<{ number: number }>`select number from migrations order by number`.execute(db.read)).rows

const run = (db: Db, statement: string) => db.transaction((trx) => sql.raw(statement).execute(trx))

/** The schema before the state `deleting` existed. */
async function undoDeletionInSteps(db: Db): Promise<void> {
  for (const name of ['application', 'chat', 'project']) {
    await run(db, `drop view ${name}s`)
    await run(db, `alter table ${name}_rows drop column state`)
    await run(db, `alter table ${name}_rows rename to ${name}s`)
  }
  await run(db, "delete from migrations where name like '%_deletion_in_steps.sql'")
}

describeEachDatabase('migrating', (database) => {
  it('creates the schema of an empty database, and does nothing the second time', async () => {
    const { db } = await database.openEmpty()
    const count = await migrate(db)
    expect(count).toBeGreaterThan(0)
    const rows = await applied(db)
    expect(rows).toHaveLength(count)
    const projectId = await addProject(db)
    expect(await migrate(db)).toBe(0)
    expect(await applied(db)).toEqual(rows)
    const kept = await db.read.selectFrom('projects').select('project_id').execute()
    expect(kept).toEqual([{ project_id: projectId }])
  })

  it('runs once if several processes start it', async () => {
    const { db, openAgain } = await database.openEmpty()
    const others = await Promise.all([openAgain(), openAgain()])
    const counts = await Promise.all([db, ...others].map(migrate))
    expect(counts.filter((count) => count > 0)).toHaveLength(1)
    expect(await applied(db)).toHaveLength(Math.max(...counts))
    await addProject(others[0] as Db)
  })

  it('rejects the schema of a newer version without changing it', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    await run(db, `insert into migrations (number, name, applied_at) values (9999, '9999_future.sql', 1)`)
    const before = await applied(db)
    await expect(migrate(db)).rejects.toThrow('newer version of Cairn')
    expect(await applied(db)).toEqual(before)
  })

  it('keeps settings that were published before the history existed', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    const projectId = await addProject(db)
    const published = { published_settings: defaultChatSettings, published_at: 7 }
    const [before, draft] = [chatRow(projectId, published), chatRow(projectId)]
    for (const row of [before, draft]) await createChatStore(db).insert(row)
    await undoDeletionInSteps(db)
    await run(db, 'drop table chat_publications')
    await run(db, "delete from migrations where name like '%_chat_publications.sql'")
    expect(await migrate(db)).toBe(2)
    expect(await createChatStore(db).publications(before.chat_id)).toEqual([
      { published_at: 7, settings: defaultChatSettings },
    ])
    expect(await createChatStore(db).publications(draft.chat_id)).toEqual([])
  })

  it('enqueues jobs for the relationships of older documents, like an upload', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    const chatId = await addChat(db)
    await documentStores(db).documents.insert(newDocument(chatId, ['one', 'two']))
    const jobs = () => db.read.selectFrom('jobs').select(['job_id', 'queue', 'payload', 'status']).execute()
    const asked = await jobs()
    expect(asked).toHaveLength(1)
    await run(db, 'delete from jobs')
    await run(db, 'drop index relationships_by_file')
    await run(db, 'alter table relationships drop column file_id')
    await run(db, "delete from migrations where name like '%_made_relationships.sql'")
    expect(await migrate(db)).toBe(1)
    expect(await jobs()).toEqual(asked)
  })

  it('keeps the texts of older documents, and the properties of their HAS_CHUNK and NEXT', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    const chatId = await addChat(db)
    await documentStores(db).documents.insert(newDocument(chatId, ['one', 'two ü😀', 'three']))
    const graph = createGraphStore(db)
    const chunks = await chunksOf(graph, chatId)
    const [first, second] = chunks.map(({ chunk_id }) => chunk_id)
    // The old schema.
    await run(db, 'drop view chunks')
    await run(db, 'drop view documents')
    await run(db, 'drop table link_properties')
    await run(db, 'drop index document_rows_unfinished')
    await run(db, 'alter table document_rows drop column lease_until')
    await run(db, 'alter table document_rows drop column state')
    await run(db, 'alter table document_rows rename to documents')
    await run(db, 'alter table chunk_rows rename to chunks')
    await run(
      db,
      `create table document_texts (chat_id text not null, file_id text not null, text text not null,
        constraint document_texts_pk primary key (chat_id, file_id))`,
    )
    await run(db, 'insert into document_texts select chat_id, file_id, text from document_text_parts')
    await run(db, 'drop table document_text_parts')
    const link = (id: string, source: string, type: string, properties: string) =>
      `insert into relationships (chat_id, relationship_id, source_id, target_id, type, properties)
        values ('${chatId}', '${id}', '${source}', '${second}', '${type}', '${properties}')`
    await run(db, link('a', 'file', 'HAS_CHUNK', '{"note":"x"}'))
    await run(db, link('b', first ?? '', 'NEXT', '{"weight":2}'))
    await run(db, link('c', 'file', 'HAS_CHUNK', '{}'))
    await run(db, link('d', first ?? '', 'EXPLAINS', '{}'))
    await run(db, "delete from migrations where name like '%_document_steps.sql'")
    expect(await migrate(db)).toBe(1)
    const links = [...linksOf(await chunksOf(graph, chatId), await graph.linkProperties(chatId))]
    expect(links.map(({ type, target, properties }) => [type, target === second, properties])).toEqual([
      ['HAS_CHUNK', false, { order: 0 }],
      ['NEXT', true, { weight: 2 }],
      ['HAS_CHUNK', true, { order: 1, note: 'x' }],
      ['NEXT', false, {}],
      ['HAS_CHUNK', false, { order: 2 }],
    ])
    expect((await graph.relationships(chatId, '', 10)).map(({ id }) => id)).toEqual(['d'])
    const { document } = (await documentStores(db).documents.findNode(links[0]?.source ?? '')) ?? {}
    expect(document?.text).toBe('one\ntwo ü😀\nthree')
  })

  it('adds the project to older jobs', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    const projectId = await addProject(db)
    const chat = chatRow(projectId)
    await createChatStore(db).insert(chat)
    const payloads = [
      { project_id: projectId, delivery_id: 'dlv_1' },
      { chat_id: chat.chat_id, file_id: 'f', version: 1 },
      { chat_id: 'chat00000000000000000000' },
    ]
    await run(db, 'drop index jobs_by_project')
    await run(db, 'alter table jobs drop column project_id')
    await run(db, "delete from migrations where name like '%_jobs_of_projects.sql'")
    for (const [n, payload] of payloads.entries()) {
      const json = JSON.stringify(payload)
      await run(
        db,
        `insert into jobs (job_id, queue, payload, status, run_at, attempts, created_at)
        values ('job_${n}', 'q', '${json}', 'queued', 0, 0, 0)`,
      )
    }
    expect(await migrate(db)).toBe(1)
    const jobs = await db.read.selectFrom('jobs').select('project_id').orderBy('job_id').execute()
    expect(jobs.map(({ project_id }) => project_id)).toEqual([projectId, projectId, ''])
  })

  it('adds the end user to older events', async () => {
    const { db } = await database.openEmpty()
    await migrate(db)
    const { appId, userId } = await addUser(db)
    const app = db.read.selectFrom('applications').select('project_id').where('app_id', '=', appId)
    const { project_id } = await app.executeTakeFirstOrThrow()
    const exceeded = (event_id: string, scope: string, scope_id: string) => ({
      project_id,
      event_id,
      type: 'budget_exceeded',
      data: JSON.stringify({ budget_id: 'bud_1', scope, scope_id }),
      created_at: 1,
    })
    const rows = [exceeded('evt_1', 'user', userId), exceeded('evt_2', 'project', project_id)]
    for (const index of ['events_by_file', 'events_by_user']) await run(db, `drop index ${index}`)
    for (const column of ['file_id', 'user_id']) await run(db, `alter table events drop column ${column}`)
    await run(db, "delete from migrations where name like '%_events_name_files_and_users.sql'")
    const columns = Object.keys(rows[0] ?? {})
    await db.insertAll([{ table: 'events', columns, rows: rows.map((row) => Object.values(row)) }])
    expect(await migrate(db)).toBe(1)
    const named = await db.read.selectFrom('events').select('user_id').orderBy('event_id').execute()
    expect(named).toEqual([{ user_id: userId }, { user_id: null }])
  })

  it('leaves no change if one of its statements fails', async () => {
    const { db } = await database.openEmpty()
    // A table that makes a later statement fail.
    await run(db, 'create table relationships (x integer)')
    await expect(migrate(db)).rejects.toThrow()
    await expect(db.read.selectFrom('projects').selectAll().execute()).rejects.toThrow()
    await run(db, 'drop table relationships')
    expect(await migrate(db)).toBeGreaterThan(0)
  })
})
