import { describe, expect, it } from 'vitest'
import { GroupCommit } from './group-commit.ts'

const small = { rows: 1, bytes: 10 }
const refusal = () => new Error('full')
const isShared = (error: unknown) => error instanceof RangeError
const roomy = { rows: 1000, bytes: 1_000_000 }

describe('group commit', () => {
  it('writes what arrives during a flush in one next flush', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number>({
      flush: async (items) => {
        groups.push(items)
        await new Promise((resolve) => setTimeout(resolve, 5))
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxGroup: roomy,
    })
    const first = commit.add(0, small)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, ...[1, 2, 3].map((item) => commit.add(item, small))])
    expect(groups).toEqual([[0], [1, 2, 3]])
  })

  it('bounds a group by rows and by bytes', async () => {
    const groups: number[][] = []
    const commit = new GroupCommit<number>({
      flush: async (items) => void groups.push(items),
      maxWaiting: roomy,
      refusal,
      isShared,
      maxGroup: { rows: 2, bytes: 100 },
    })
    await Promise.all([
      commit.add(1, small),
      commit.add(2, small),
      commit.add(3, { rows: 1, bytes: 100 }),
      commit.add(4, small),
    ])
    expect(groups).toEqual([[1, 2], [3], [4]])
  })

  it('refuses when the queue is full, and recovers', async () => {
    const gate = Promise.withResolvers<void>()
    const commit = new GroupCommit<number>({
      flush: () => gate.promise,
      maxWaiting: { rows: 2, bytes: 1000 },
      refusal,
      isShared,
      maxGroup: roomy,
    })
    const accepted = [commit.add(1, small), commit.add(2, small)]
    await expect(commit.add(3, small)).rejects.toThrow('full')
    gate.resolve()
    await Promise.all(accepted)
    await commit.add(4, small)
  })

  it('lets a bad item fail alone', async () => {
    const written: number[] = []
    const commit = new GroupCommit<number>({
      flush: async (items) => {
        if (items.includes(13)) throw new Error('unlucky')
        written.push(...items)
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxGroup: roomy,
    })
    const results = await Promise.allSettled([1, 13, 2].map((item) => commit.add(item, small)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(written).toEqual([1, 2])
  })

  it('fails all at once, without a try for each, when every one would fail alike', async () => {
    let tries = 0
    const commit = new GroupCommit<number>({
      flush: async () => {
        tries += 1
        throw new RangeError('nobody there')
      },
      maxWaiting: roomy,
      refusal,
      isShared,
      maxGroup: roomy,
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => commit.add(item, small)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })
})
