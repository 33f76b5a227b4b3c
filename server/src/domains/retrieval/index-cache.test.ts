import { describe, expect, it } from 'vitest'
import { IndexCache } from './index-cache.ts'

const index = (projectId: string, bytes: number) => ({ projectId, index: { bytes } })
const cached = (indexes: IndexCache<ReturnType<typeof index>>, ...chats: string[]) =>
  chats.filter((chat) => indexes.get(chat) !== undefined)

describe('indexes in memory', () => {
  it('of a project with hundreds of chats evict only indexes of the same project', () => {
    const indexes = new IndexCache<ReturnType<typeof index>>(100)
    indexes.add('victim', index('small', 40))
    for (let n = 0; n < 300; n++) indexes.add(`chat${n}`, index('large', 10))
    expect(cached(indexes, 'victim')).toEqual(['victim'])
    expect(cached(indexes, ...Array.from({ length: 300 }, (_, n) => `chat${n}`))).toHaveLength(6)
  })

  it('are evicted least recently used first', () => {
    const indexes = new IndexCache<ReturnType<typeof index>>(30)
    for (const chat of ['a', 'b', 'c']) indexes.add(chat, index('p', 10))
    indexes.get('a')
    indexes.add('d', index('p', 10))
    expect(cached(indexes, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
  })

  it('of the project with the most memory are evicted for a project with little', () => {
    const indexes = new IndexCache<ReturnType<typeof index>>(100)
    for (const chat of ['a', 'b', 'c']) indexes.add(chat, index('large', 30))
    indexes.add('d', index('small', 20))
    expect(cached(indexes, 'a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
  })

  it('are never evicted while they are the newest, for any size', () => {
    const indexes = new IndexCache<ReturnType<typeof index>>(100)
    indexes.add('a', index('p', 50))
    indexes.add('b', index('q', 500))
    expect(cached(indexes, 'a', 'b')).toEqual(['b'])
  })
})
