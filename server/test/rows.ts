import { type CreateTrace, defaultChatSettings } from '@cairn/contract'
import type { Db } from '../src/db/index.ts'
import { createAccessStore } from '../src/domains/access/store.ts'
import { type ChatRow, createChatStore } from '../src/domains/chats/store.ts'
import { createChatDeletionStore } from '../src/domains/chats/store-deletion.ts'
import { packText } from '../src/domains/documents/extraction/packing.ts'
import type { NewDocument } from '../src/domains/documents/upload/new-document.ts'
import { storedSegment } from '../src/domains/retrieval/index.ts'
import { toRecord } from '../src/domains/traces/record.ts'
import { newId } from '../src/lib/ids.ts'

/** Inserts a project; returns its id. */
export async function addProject(db: Db): Promise<string> {
  const projectId = newId('proj_')
  await createAccessStore(db).insertProject({
    project_id: projectId,
    name: 'a project',
    created_at: Date.now(),
    retention_days: null,
  })
  return projectId
}

export function chatRow(projectId: string, values: Partial<ChatRow> = {}): ChatRow {
  return {
    chat_id: newId('chat'),
    project_id: projectId,
    title: 'a chat',
    created_at: Date.now(),
    api_access_enabled: false,
    draft_settings: defaultChatSettings,
    published_settings: null,
    published_at: null,
    updated_at: Date.now(),
    index_version: 0,
    app_id: null,
    ...values,
  }
}

/** Inserts a chat in a new project; returns its id. */
export async function addChat(db: Db): Promise<string> {
  const row = chatRow(await addProject(db))
  await createChatStore(db).insert(row)
  return row.chat_id
}

/** Deletes the row of a chat without the earlier deletion steps; false if it does not exist. */
export async function deleteChat(db: Db, chatId: string): Promise<boolean> {
  const deletions = createChatDeletionStore(db)
  const isStarted = await deletions.start(chatId)
  await deletions.finish(chatId)
  return isStarted
}

/** The same for a project. */
export async function deleteProject(db: Db, projectId: string): Promise<boolean> {
  const isStarted = await createAccessStore(db).startDeletion(projectId)
  await createAccessStore(db).finishDeletion(projectId)
  return isStarted
}

/** Inserts a user of a new application. */
export async function addUser(db: Db): Promise<{ appId: string; userId: string; chatId: string }> {
  const parent = chatRow(await addProject(db))
  const own = chatRow(parent.project_id)
  const chats = createChatStore(db)
  await chats.insert(parent)
  await chats.insert(own)
  const [appId, userId] = [newId('app_v1_'), newId('user_v1_')]
  const user = { issuer: 'https://issuer.example', subject: 's', identity_hash: userId, created_at: 1 }
  await db.transaction(async (trx) => {
    const settings = {
      app_name: 'an app',
      issuer: user.issuer,
      allowed_audiences: '[]',
      alg_allowlist: '["RS256"]',
    }
    await trx
      .insertInto('application_rows')
      .values({
        ...settings,
        app_id: appId,
        project_id: parent.project_id,
        chat_id: parent.chat_id,
        allowed_issuers: null,
        separates_audiences: 0,
        jwks_uri: null,
        api_access_enabled: 1,
        created_at: 1,
      })
      .execute()
    await trx
      .insertInto('app_users')
      .values({ ...user, app_id: appId, user_id: userId, chat_id: own.chat_id })
      .execute()
  })
  return { appId, userId, chatId: own.chat_id }
}

/** A document whose chunks have these texts. */
export function newDocument(
  chatId: string,
  texts: readonly string[],
  values: Partial<NewDocument> = {},
): NewDocument {
  const filename = values.filename ?? 'note.md'
  const starts = texts.map((_, i) => texts.slice(0, i).join('\n').length + (i > 0 ? 1 : 0))
  const chunks = texts.map((text, order) => {
    const start = starts[order] ?? 0
    return { order, start, end: start + text.length, text, page: null, headingPath: ['Title', `${order}`] }
  })
  return {
    chatId,
    fileId: newId('file-'),
    filename,
    sha256: 'a'.repeat(64),
    sizeBytes: 100,
    scopeValues: {},
    createdMs: Date.now(),
    content: packText(texts.join('\n'), chunks, 0),
    segment: storedSegment(filename, chunks),
    embedding: undefined,
    ...values,
  }
}

export function newRecord(values: Partial<CreateTrace> = {}) {
  return toRecord({ input: 'i', output: 'o', ...values })
}
