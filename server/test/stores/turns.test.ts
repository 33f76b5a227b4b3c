import type { ScopeValues } from '@cairn/contract'
import { expect, it } from 'vitest'
import { createTurnStore, type Turn } from '../../src/domains/answering/store.ts'
import { createChatStore } from '../../src/domains/chats/store.ts'
import { describeEachDatabase } from '../databases.ts'
import { addChat, deleteChat } from '../rows.ts'

describeEachDatabase('the store of conversations', (database) => {
  const turns = () => createTurnStore(database.db)
  const turn = (n: number) => ({ question: `Q${n}`, answer: `A${n}` })
  const add = (chatId: string, session: string, added: Turn, scopeFilters: ScopeValues = {}) =>
    turns().add(chatId, session, { ...added, scopeFilters })
  const last = (chatId: string, session: string, limit: number, scopeFilters: ScopeValues = {}) =>
    turns().last(chatId, session, { limit, scopeFilters })
  const projectOf = async (chatId: string) =>
    (await createChatStore(database.db).find(chatId))?.project_id ?? ''

  it('returns the last turns of a session of a chat, oldest first', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    for (const n of [1, 2, 3]) await add(chatId, 's', turn(n))
    await add(chatId, 't', turn(4))
    await add(other, 's', turn(5))
    expect(await last(chatId, 's', 10)).toEqual([turn(1), turn(2), turn(3)])
    expect(await last(chatId, 's', 2)).toEqual([turn(2), turn(3)])
    expect(await last(chatId, 'u', 2)).toEqual([])
    const odd = { question: 'nul \0 and half \ud800', answer: '漢字 🦉' }
    await add(chatId, 'u', odd)
    expect(await last(chatId, 'u', 2)).toEqual([{ ...odd, question: 'nul \ufffd and half \ufffd' }])
  })

  it('returns the last turns whose scope filters include all current filters', async () => {
    const chatId = await addChat(database.db)
    const filters: ScopeValues[] = [{}, { a: 1 }, { a: 1, b: 'x' }, { a: '1' }, { a: 2 }, { b: 'x' }]
    for (const [n, each] of filters.entries()) await add(chatId, 's', turn(n), each)
    expect(await last(chatId, 's', 9)).toEqual([0, 1, 2, 3, 4, 5].map(turn))
    expect(await last(chatId, 's', 9, { a: 1 })).toEqual([turn(1), turn(2)])
    expect(await last(chatId, 's', 1, { a: 1 })).toEqual([turn(2)])
    expect(await last(chatId, 's', 9, { b: 'x' })).toEqual([turn(2), turn(5)])
    expect(await last(chatId, 's', 9, { a: 1, b: 'x' })).toEqual([turn(2)])
    expect(await last(chatId, 's', 9, { c: true })).toEqual([])
  })

  it('keeps five hundred turns of a session, and deletes older ones', async () => {
    const chatId = await addChat(database.db)
    await add(chatId, 't', turn(0))
    for (let n = 1; n <= 502; n++) await add(chatId, 's', turn(n))
    const kept = await last(chatId, 's', 1000)
    expect(kept).toHaveLength(500)
    expect([kept[0], kept.at(-1)]).toEqual([turn(3), turn(502)])
    expect(await last(chatId, 't', 9)).toEqual([turn(0)])
  })

  it('deletes old turns of one project, and all turns with their chat', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    for (const id of [chatId, other]) await add(id, 's', turn(1))
    const project = await projectOf(chatId)
    expect(await turns().deleteOlder(project, Date.now() - 60_000)).toBe(0)
    expect(await turns().deleteOlder(project, Date.now() + 1000)).toBe(1)
    expect(await last(chatId, 's', 9)).toEqual([])
    expect(await last(other, 's', 9)).toEqual([turn(1)])
    await deleteChat(database.db, other)
    expect(await last(other, 's', 9)).toEqual([])
  })
})
