import { describe, expect, it } from 'vitest'
import { GroupCommit } from './group-commit.ts'

const small = { rows: 1, bytes: 10 }
const refusal = () => new Error('full')
const isShared = (error: unknown) => error instanceof RangeError
const grouping = {
  newGroup: (): number[] => [],
  /** An item costs as much as its number. */
  put: (group: number[], item: number) => {
    group.push(item)
    return group.reduce((sum, each) => sum + each, 0)
  },
}
const roomy = { rows: 1000, bytes: 1_000_000 }

describe('group commit', () => {
  it('writes items that arrive during a flush together in the next flush', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => {
        groups.push(items)
        await new Promise((resolve) => setTimeout(resolve, 5))
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 1000,
    })
    const first = commit.add('a', [0], small)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, ...[1, 2, 3].map((item) => commit.add('a', [item], small))])
    expect(groups).toEqual([[0], [1, 2, 3]])
  })

  it('ends a group with the item that reaches the maximum cost', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => void groups.push(items),
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 5,
    })
    await Promise.all([2, 3, 9, 4].map((item) => commit.add('a', [item], small)))
    expect(groups).toEqual([[2, 3], [9], [4]])
  })

  it('writes the items of one write in order, and resolves with the last one', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => void groups.push(items),
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 5,
    })
    await commit.add('a', [3, 3, 5, 1], small)
    expect(groups).toEqual([[3, 3], [5], [1]])
  })

  it('gives each project its part of the next transaction, by the cost of its items', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => void groups.push(items),
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 10,
    })
    const order: string[] = []
    const add = (project: string, items: number[]) =>
      commit.add(project, items, small).then(() => order.push(`${project} ${items}`))
    const large = add('a', [6, 6, 6, 6])
    const many = Array.from({ length: 6 }, () => add('b', [1]))
    await add('c', [1])
    expect(order).not.toContain('a 6,6,6,6')
    await Promise.all([large, ...many])
    expect(groups).toEqual(
      [[6, 1, 1, 1, 1, 1], [1, 1, 6, 6], [6]].map((group) => expect.arrayContaining(group)),
    )
    expect(groups[0]).toContain(6)
    expect(order.at(-1)).toBe('a 6,6,6,6')
  })

  it('stops after the item that fails, and writes the items of others', async () => {
    const written: number[] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => {
        if (items.includes(13)) throw new Error('unlucky')
        written.push(...items)
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 20,
    })
    const results = await Promise.allSettled([
      commit.add('a', [1, 13, 2, 20, 20], small),
      commit.add('a', [3], small),
      commit.add('b', [4], small),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(written.toSorted((a, b) => a - b)).toEqual([1, 3, 4])
  })

  it('rejects only the project that fills its half', async () => {
    const gate = Promise.withResolvers<void>()
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: () => gate.promise,
      maxWaiting: { rows: 4, bytes: 1000 },
      refusal,
      isShared,
      maxCost: 1,
    })
    const accepted = [1, 2].map((item) => commit.add('a', [item], small))
    await expect(commit.add('a', [3], small)).rejects.toThrow('full')
    accepted.push(...[4, 5].map((item) => commit.add('b', [item], small)), commit.add('c', [6], small))
    gate.resolve()
    await Promise.all(accepted)
  })

  it('rejects when the queue is full, and recovers', async () => {
    const gate = Promise.withResolvers<void>()
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: () => gate.promise,
      maxWaiting: { rows: 4, bytes: 1000 },
      refusal,
      isShared,
      maxCost: 1000,
    })
    const accepted = [commit.add('a', [1], small), commit.add('a', [2], small)]
    await expect(commit.add('a', [3], small)).rejects.toThrow('full')
    gate.resolve()
    await Promise.all(accepted)
    await commit.add('a', [4], small)
  })

  it('lets an invalid item fail alone', async () => {
    const written: number[] = []
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async (items) => {
        if (items.includes(13)) throw new Error('unlucky')
        written.push(...items)
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 1000,
    })
    const results = await Promise.allSettled([1, 13, 2].map((item) => commit.add('a', [item], small)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(written).toEqual([1, 2])
  })

  it('fails all items at once if every single item would fail in the same way', async () => {
    let tries = 0
    const commit = new GroupCommit<number, number[]>({
      ...grouping,
      flush: async () => {
        tries += 1
        throw new RangeError('nobody there')
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxCost: 1000,
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => commit.add('a', [item], small)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })
})
