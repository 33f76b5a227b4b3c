import type { ScopeDefinition } from '@cairn/contract'
import { expect, it } from 'vitest'
import { createScopeStore } from '../../src/domains/scopes/store.ts'
import { describeEachDatabase } from '../databases.ts'
import { addChat, deleteChat } from '../rows.ts'

const team: ScopeDefinition = { name: 'team', type: 'string', required: true, description: 'a\0"\ud800ü' }
const year: ScopeDefinition = { name: 'year', type: 'number', required: false }

describeEachDatabase('the scopes store', (database) => {
  const store = () => createScopeStore(database.db)

  it('returns the last configuration of each chat', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    expect(await store().find(chatId)).toEqual([])
    await store().replace(other, [year])
    await store().replace(chatId, [year, team])
    await store().replace(chatId, [team, year])
    expect(await store().find(chatId)).toEqual([team, year])
    await store().clear(chatId)
    await store().clear(chatId)
    expect(await store().find(chatId)).toEqual([])
    expect(await store().find(other)).toEqual([year])
  })

  it('stores one of many concurrent configurations', async () => {
    const chatId = await addChat(database.db)
    const all = Array.from({ length: 8 }, (_, n) => [{ ...year, name: `s${n}` }])
    await Promise.all(all.map((scopes) => store().replace(chatId, scopes)))
    expect(all).toContainEqual(await store().find(chatId))
  })

  it('deletes a configuration with its chat', async () => {
    const chatId = await addChat(database.db)
    await store().replace(chatId, [team])
    await deleteChat(database.db, chatId)
    expect(await store().find(chatId)).toEqual([])
    expect(await store().replace(chatId, [team])).toBe('no_chat')
  })
})
