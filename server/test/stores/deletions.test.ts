import { expect, it } from 'vitest'
import { createAccessStore } from '../../src/domains/access/store.ts'
import {
  createApplicationDeletionStore,
  createApplicationStore,
} from '../../src/domains/applications/store.ts'
import { createChatStore } from '../../src/domains/chats/store.ts'
import { createChatDeletionStore } from '../../src/domains/chats/store-deletion.ts'
import { deletedEvent } from '../../src/domains/documents/delete/deleted-event.ts'
import { createEventStore } from '../../src/domains/events/index.ts'
import { createScorerStore } from '../../src/domains/scorers/store.ts'
import { createSuiteStore } from '../../src/domains/testing/store-suites.ts'
import { toNewTrace } from '../../src/domains/traces/facts.ts'
import { traceDeletion } from '../../src/domains/traces/store/deletion.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { createVersionStore } from '../../src/domains/versions/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, addProject, addUser, chatRow, newDocument, newRecord } from '../rows.ts'

const page = { limit: 100, after: undefined }

describeEachDatabase('a deletion in steps', (database) => {
  const chats = () => createChatStore(database.db)
  const deletions = () => createChatDeletionStore(database.db)
  const documents = () => documentStores(database.db).documents
  const cleanup = () => documentStores(database.db).cleanup
  const jobs = (id: string) =>
    database.db.read.selectFrom('jobs').select('queue').where('job_id', '=', `delete_${id}`).execute()

  async function rowsOf(table: 'document_rows' | 'chunk_rows' | 'chat_rows', chatId: string) {
    return database.db.read.selectFrom(table).select('chat_id').where('chat_id', '=', chatId).execute()
  }

  it('hides a chat at once, writes a job for the rest, and starts only once', async () => {
    const chatId = await addChat(database.db)
    const starts = await Promise.all([deletions().start(chatId), deletions().start(chatId)])
    expect(starts.sort()).toEqual([false, true])
    expect(await chats().find(chatId)).toBeUndefined()
    expect(await chats().update(chatId, () => ({ title: 'x' }))).toBeUndefined()
    expect(await rowsOf('chat_rows', chatId)).toHaveLength(1)
    expect(await jobs(chatId)).toEqual([{ queue: 'deletions' }])
  })

  it('writes one event per document, also if another process continues', async () => {
    const chat = chatRow(await addProject(database.db))
    await chats().insert(chat)
    const { chat_id: chatId, project_id: projectId } = chat
    for (let n = 0; n < 25; n++)
      await documents().insert(newDocument(chatId, ['a', 'b'], { fileId: `${chatId}-${n}` }))
    await deletions().start(chatId)
    const [one, two] = [cleanup(), documentStores(await database.openAgain()).cleanup]
    const goOn = async (store: typeof one) => {
      while ((await store.deleteDocuments(chatId, deletedEvent)) === 'more');
    }
    await Promise.all([goOn(one), goOn(two)])
    await deletions().finish(chatId)
    const told = await createEventStore(database.db).list(projectId, { types: ['file_deleted'] }, page)
    expect(new Set(told.map(({ file_id }) => file_id)).size).toBe(25)
    expect(told).toHaveLength(25)
    for (const table of ['document_rows', 'chunk_rows', 'chat_rows'] as const) {
      expect(await rowsOf(table, chatId), table).toEqual([])
    }
  })

  it('accepts no document into a chat in deletion, and frees its ids afterwards', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    const fileId = newId('file-')
    await documents().insert(newDocument(chatId, ['a'], { fileId }))
    await deletions().start(chatId)
    expect(await documents().insert(newDocument(chatId, ['b']))).toBe('no_chat')
    expect(await documents().findNode(fileId)).toBeUndefined()
    expect(await documents().insert(newDocument(other, ['c'], { fileId }))).toBe('taken')
    const settled = documents().waitUntilSettled(fileId)
    while ((await cleanup().deleteDocuments(chatId, deletedEvent)) === 'more');
    await settled
    expect(await documents().insert(newDocument(other, ['c'], { fileId }))).toBe('stored')
  })

  it('frees the identity of a user at once, and leaves no event of a private chat', async () => {
    const { appId, userId, chatId } = await addUser(database.db)
    const { project_id: projectId } = (await chats().find(chatId)) ?? { project_id: '' }
    const users = createApplicationStore(database.db)
    await database.db.transaction((trx) =>
      trx.updateTable('chat_rows').set({ app_id: appId }).where('chat_id', '=', chatId).execute(),
    )
    await documents().insert(newDocument(chatId, ['secret']))
    expect(await users.deleteUser(appId, userId)).toBe(true)
    expect(await users.deleteUser(appId, userId)).toBe(false)
    expect(await users.findUser(appId, userId)).toBeUndefined()
    expect(await chats().find(chatId)).toBeUndefined()
    while ((await cleanup().deleteDocuments(chatId, deletedEvent)) === 'more');
    expect(await createEventStore(database.db).list(projectId, {}, page)).toEqual([])
    const application = createApplicationDeletionStore(database.db)
    expect(await application.users(appId)).toBe('waits')
    await deletions().finish(chatId)
    expect(await application.users(appId)).toBe('nothing')
  })

  it('deletes the chats of a project first, including private chats, and waits for them', async () => {
    const { chatId } = await addUser(database.db)
    const { project_id: projectId } = (await chats().find(chatId)) ?? { project_id: '' }
    expect(await deletions().ofProject(projectId)).toBe('more')
    expect(await chats().listByProject(projectId)).toEqual([])
    expect(await deletions().ofProject(projectId)).toBe('waits')
    const rows = database.db.read
      .selectFrom('chat_rows')
      .select('chat_id')
      .where('project_id', '=', projectId)
    for (const { chat_id } of await rows.execute()) await deletions().finish(chat_id)
    expect(await deletions().ofProject(projectId)).toBe('nothing')
  })

  it('deletes only the traces of its project, in steps', async () => {
    const [projectId, other] = [await addProject(database.db), await addProject(database.db)]
    const store = createTraceStore(database.db)
    const add = (id: string, count: number) =>
      store.insert(
        Array.from({ length: count }, () => toNewTrace(id, newRecord({ tags: ['t'] }), () => null)),
      )
    await add(projectId, 250)
    await add(other, 3)
    const steps = []
    for (const step of traceDeletion(database.db)) {
      for (let left = await step(projectId); left === 'more'; left = await step(projectId)) steps.push(step)
    }
    // One step for labels, three steps for traces.
    expect(steps).toHaveLength(4)
    expect(await store.positions(projectId, {}, page)).toEqual([])
    expect(await store.positions(other, {}, page)).toHaveLength(3)
    for (const table of ['trace_labels', 'trace_bodies'] as const) {
      const left = await database.db.read.selectFrom(table).select('project_id').execute()
      expect(left.filter(({ project_id }) => project_id === projectId)).toEqual([])
    }
  })

  it('accepts no new data into a project after it is hidden', async () => {
    const { db } = database
    const projectId = await addProject(db)
    await createAccessStore(db).startDeletion(projectId)
    const [common, at] = [{ project_id: projectId, description: null }, { created_at: 1 }]
    const version = { ...common, ...at, version_id: newId('ver_'), version: '1.0.0', config: null }
    const suite = { ...common, ...at, suite_id: newId('suite_'), name: 's', tags: '[]', target: null }
    const scorer = { ...common, ...at, slug: 's', prompt: 'p', choices: '{}', model: null, updated_at: 1 }
    expect(await createVersionStore(db).publish(version, newId('act_'))).toBe('no_project')
    expect(await createSuiteStore(db).insert({ ...suite, target_headers: null })).toBe('no_project')
    expect(await createScorerStore(db).insert(scorer)).toBe('no_project')
    expect(await createChatStore(db).insert(chatRow(projectId))).toBe('no_project')
  })
})
