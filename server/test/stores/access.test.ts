import { expect, it } from 'vitest'
import { createAccessStore, type KeyRow } from '../../src/domains/access/store.ts'
import { createChatStore } from '../../src/domains/chats/store.ts'
import { isUniqueViolation } from '../../src/lib/database-error.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, chatRow, deleteProject } from '../rows.ts'

function keyRow(projectId: string, values: Partial<KeyRow> = {}): KeyRow {
  return {
    key_id: newId('key_'),
    project_id: projectId,
    chat_id: null,
    name: 'a key',
    permissions: ['read', 'ingest'],
    last4: 'abcd',
    created_at: Date.now(),
    ...values,
  }
}

describeEachDatabase('the access store', (database) => {
  const store = () => createAccessStore(database.db)
  const chats = () => createChatStore(database.db)

  it('lists projects, oldest first, and renames them', async () => {
    const ids = [newId('proj_', 3), newId('proj_', 1), newId('proj_', 2)]
    for (const [i, project_id] of ids.entries()) {
      await store().insertProject({
        project_id,
        name: `p${i}`,
        created_at: [3, 1, 2][i] ?? 0,
        retention_days: null,
      })
    }
    const own = (await store().listProjects()).filter(({ project_id }) => ids.includes(project_id))
    expect(own.map(({ created_at }) => created_at)).toEqual([1, 2, 3])
    expect(await store().updateProject(ids[0] ?? '', { name: 'ü', retention_days: 7 })).toBe(true)
    expect(await store().findProject(ids[0] ?? '')).toEqual({
      project_id: ids[0],
      name: 'ü',
      created_at: 3,
      retention_days: 7,
    })
    expect(await store().updateProject('proj_none', { name: 'x' })).toBe(false)
    expect(await store().findProject('proj_none')).toBeUndefined()
  })

  it('finds a key by its hash, and lists keys only for their owner', async () => {
    const projectId = await addProject(database.db)
    const chat = chatRow(projectId)
    await chats().insert(chat)
    const [own, ofChat] = [keyRow(projectId), keyRow(projectId, { chat_id: chat.chat_id })]
    const hash = newId('hash')
    await store().insertProjectKey(own, hash)
    await chats().insertKey(chat.chat_id, ofChat, `${hash}2`)
    expect(await store().findKeyByHash(hash)).toEqual(own)
    expect(await store().findKeyByHash(hash.toUpperCase())).toBeUndefined()
    expect(await store().listProjectKeys(projectId)).toEqual([own])
    expect(await store().listChatKeys(chat.chat_id)).toEqual([ofChat])
    expect(JSON.stringify(await store().listProjectKeys(projectId))).not.toContain(hash)
    expect(await store().deleteKey(own.key_id)).toBe(true)
    expect(await store().deleteKey(own.key_id)).toBe(false)
    expect(await store().findKeyByHash(hash)).toBeUndefined()
  })

  it('enables API access with the first key of a chat, but with no later key', async () => {
    const chat = chatRow(await addProject(database.db))
    await chats().insert(chat)
    const { chat_id, project_id } = chat
    await store().insertProjectKey(keyRow(project_id), newId('hash'))
    expect((await chats().find(chat_id))?.api_access_enabled).toBe(false)
    await chats().insertKey(chat_id, keyRow(project_id, { chat_id }), newId('hash'))
    expect((await chats().find(chat_id))?.api_access_enabled).toBe(true)
    await chats().update(chat_id, () => ({ api_access_enabled: false }))
    await chats().insertKey(chat_id, keyRow(project_id, { chat_id }), newId('hash'))
    expect((await chats().find(chat_id))?.api_access_enabled).toBe(false)
  })

  it('rejects a key without an owner and a repeated secret, without changing API access', async () => {
    const chat = chatRow(await addProject(database.db))
    await chats().insert(chat)
    const hash = newId('hash')
    await store().insertProjectKey(keyRow(chat.project_id), hash)
    const twice = keyRow(chat.project_id, { chat_id: chat.chat_id })
    const refused = await chats()
      .insertKey(chat.chat_id, twice, hash)
      .catch((error: unknown) => error)
    expect(isUniqueViolation(refused)).toBe(true)
    expect((await chats().find(chat.chat_id))?.api_access_enabled).toBe(false)
    expect(await store().insertProjectKey(keyRow('proj_none'), newId('hash'))).toBe('no_project')
    const lost = keyRow(chat.project_id, { chat_id: 'chatnone' })
    expect(await chats().insertKey('chatnone', lost, newId('hash'))).toBe('no_chat')
  })

  it('deletes a project with its chats and keys', async () => {
    const chat = chatRow(await addProject(database.db))
    await chats().insert(chat)
    const hashes = [newId('hash'), newId('hash')]
    await store().insertProjectKey(keyRow(chat.project_id), hashes[0] ?? '')
    const ofChat = keyRow(chat.project_id, { chat_id: chat.chat_id })
    await chats().insertKey(chat.chat_id, ofChat, hashes[1] ?? '')
    expect(await deleteProject(database.db, chat.project_id)).toBe(true)
    expect(await deleteProject(database.db, chat.project_id)).toBe(false)
    for (const hash of hashes) expect(await store().findKeyByHash(hash)).toBeUndefined()
    expect(await chats().find(chat.chat_id)).toBeUndefined()
  })
})
