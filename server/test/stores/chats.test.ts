import { defaultChatSettings, limits } from '@cairn/contract'
import { expect, it } from 'vitest'
import { createChatStore } from '../../src/domains/chats/store.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addProject, chatRow, deleteChat, newDocument } from '../rows.ts'

describeEachDatabase('the chats store', (database) => {
  const store = () => createChatStore(database.db)

  it('returns settings of an earlier version with the defaults of later settings', async () => {
    const { rerank_model: _, ...earlier } = { ...defaultChatSettings, temperature: 1 }
    const settings = earlier as typeof defaultChatSettings
    const row = chatRow(await addProject(database.db), {
      draft_settings: settings,
      published_settings: settings,
      published_at: 5,
    })
    await store().insert(row)
    const expected = { ...settings, rerank_model: null }
    const found = await store().find(row.chat_id)
    expect([found?.draft_settings, found?.published_settings]).toEqual([expected, expected])
    expect(await store().publications(row.chat_id)).toEqual([{ published_at: 5, settings: expected }])
  })

  it('returns a chat as it was stored', async () => {
    const projectId = await addProject(database.db)
    const settings = {
      ...defaultChatSettings,
      custom_prompt: 'a\0"\ud800',
      context_files: ['x\0'],
      temperature: 0,
    }
    const rows = [
      chatRow(projectId),
      chatRow(projectId, {
        draft_settings: settings,
        published_settings: settings,
        published_at: 5,
        title: "'ü",
      }),
      chatRow(projectId, { api_access_enabled: true, index_version: 7, created_at: 1 }),
    ]
    for (const row of rows) {
      await store().insert(row)
      expect(await store().find(row.chat_id)).toEqual(row)
    }
    const listed = await store().listByProject(projectId)
    expect(listed).toEqual([rows[2], rows[0], rows[1]])
    expect(await store().find('chatnone')).toBeUndefined()
    expect(await store().listByProject('proj_none')).toEqual([])
  })

  it('changes only the given fields', async () => {
    const row = chatRow(await addProject(database.db), {
      published_settings: defaultChatSettings,
      published_at: 9,
    })
    await store().insert(row)
    const draft = { ...defaultChatSettings, temperature: 2 }
    const changes = [{ title: 'b' }, { api_access_enabled: true }, { draft_settings: draft }, {}]
    for (const change of [...changes, { published_settings: null, published_at: null }]) {
      const before = await store().find(row.chat_id)
      const after = await store().update(row.chat_id, () => change)
      const isChange = Object.keys(change).length > 0
      expect(after).toEqual({ ...before, ...change, ...(isChange && { updated_at: expect.any(Number) }) })
      if (!isChange) expect(after).toEqual(before)
      expect(await store().find(row.chat_id)).toEqual(after)
    }
    expect(await store().update('chatnone', () => ({ title: 'x' }))).toBeUndefined()
  })

  it('keeps the last published settings, each with a later time than the previous ones', async () => {
    const projectId = await addProject(database.db)
    const ahead = Date.now() + 3_600_000
    const published = (max_tokens: number) => ({ ...defaultChatSettings, max_tokens })
    const row = chatRow(projectId, { published_settings: published(100), published_at: ahead })
    const other = chatRow(projectId, { published_settings: published(200), published_at: 1 })
    for (const each of [row, other]) await store().insert(each)
    expect(await store().publications(row.chat_id)).toEqual([
      { published_at: ahead, settings: published(100) },
    ])
    for (let n = 1; n < limits.publicationsKept + 3; n++) {
      const after = await store().update(row.chat_id, () => ({ published_settings: published(n) }))
      expect(after?.published_at).toBe(ahead + n)
      expect((await store().find(row.chat_id))?.published_at).toBe(ahead + n)
    }
    const kept = await store().publications(row.chat_id)
    expect(kept.map(({ settings }) => settings.max_tokens)).toEqual(
      Array.from({ length: limits.publicationsKept }, (_, i) => limits.publicationsKept + 2 - i),
    )
    expect(kept.map(({ published_at }) => published_at)).toEqual(
      Array.from({ length: limits.publicationsKept }, (_, i) => ahead + limits.publicationsKept + 2 - i),
    )
    expect(await store().publications(other.chat_id)).toEqual([{ published_at: 1, settings: published(200) }])
    await deleteChat(database.db, row.chat_id)
    expect(await store().publications(row.chat_id)).toEqual([])
  })

  it('runs concurrent changes one after another', async () => {
    const row = chatRow(await addProject(database.db), { title: '' })
    await store().insert(row)
    await Promise.all(
      Array.from({ length: 12 }, () => store().update(row.chat_id, ({ title }) => ({ title: `${title}x` }))),
    )
    expect((await store().find(row.chat_id))?.title).toBe('x'.repeat(12))
  })

  it('does not change the chat if a change throws', async () => {
    const row = chatRow(await addProject(database.db))
    await store().insert(row)
    const change = () => {
      throw new Error('no')
    }
    await expect(store().update(row.chat_id, change)).rejects.toThrow('no')
    expect(await store().find(row.chat_id)).toEqual(row)
  })

  it('counts documents, and deletes them with their chat, but no others', async () => {
    const projectId = await addProject(database.db)
    const [one, two] = [chatRow(projectId), chatRow(projectId)]
    const documents = documentStores(database.db).documents
    for (const { chat_id } of [one, two]) {
      await store().insert(chatRow(projectId, { chat_id }))
      for (const name of ['a', 'b']) {
        await documents.insert(newDocument(chat_id, ['x', 'y'], { fileId: `${chat_id}-${name}` }))
      }
    }
    expect((await store().documentIds(one.chat_id)).sort()).toEqual([`${one.chat_id}-a`, `${one.chat_id}-b`])
    expect(await deleteChat(database.db, one.chat_id)).toBe(true)
    expect(await deleteChat(database.db, one.chat_id)).toBe(false)
    for (const table of [
      'document_rows',
      'document_text_parts',
      'document_segments',
      'chunk_rows',
    ] as const) {
      const rows = await database.db.read
        .selectFrom(table)
        .select('chat_id')
        .where('chat_id', 'in', [one.chat_id, two.chat_id])
        .execute()
      expect(new Set(rows.map(({ chat_id }) => chat_id)), table).toEqual(new Set([two.chat_id]))
    }
  })
})
