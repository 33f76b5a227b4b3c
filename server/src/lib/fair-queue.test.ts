import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { FairQueue, type FairQueueOptions, type Tenant } from './fair-queue.ts'

const refusal = () => new Error('refused')

function queueOf(options: Partial<FairQueueOptions> = {}): FairQueue {
  return new FairQueue({ width: 1, maxWaiting: 1000, refusal, ...options })
}

/** Starts tasks that end on command; `started` has their names in the order of their start. */
function tasksOn(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    add(tenant: Tenant, name: string, signal?: AbortSignal) {
      const task = () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }
      return queue.run(tenant, task, signal)
    },
    async end(name: string) {
      await vi.waitFor(() => expect(ends.has(name)).toBe(true))
      ends.get(name)?.()
      await pause(2)
    },
  }
}

describe('a fair queue', () => {
  it('serves the task of another tenant next, however many tasks of one tenant are waiting', async () => {
    const tasks = tasksOn(queueOf())
    for (let i = 0; i < 100; i++) void tasks.add(['a'], `a${i}`)
    void tasks.add(['b'], 'b')
    await tasks.end('a0')
    expect(tasks.started).toEqual(['a0', 'b'])
  })

  it('gives a tenant with short tasks more turns than one with long tasks', async () => {
    const queue = queueOf()
    const turns = { long: 0, short: 0 }
    const until = Date.now() + 400
    const work = async (name: 'long' | 'short', ms: number) => {
      while (Date.now() < until) {
        await queue.run([name], async () => {
          turns[name] += 1
          await pause(ms)
        })
      }
    }
    await Promise.all([work('long', 40), work('long', 40), work('short', 2), work('short', 2)])
    expect(turns.short).toBeGreaterThan(3 * turns.long)
  })

  it('keeps places free for others if a project may not use all of them', async () => {
    const tasks = tasksOn(queueOf({ width: 3, widthPerProject: 2, widthPerUser: 1 }))
    for (const name of ['a0', 'a1', 'a2']) void tasks.add(['a', 'user'], name)
    void tasks.add(['a', 'other'], 'other user')
    void tasks.add(['a', 'third'], 'third user')
    void tasks.add(['b'], 'b')
    await pause(2)
    expect(tasks.started).toEqual(['a0', 'other user', 'b'])
  })

  it('shares the turns of a project among its users', async () => {
    const tasks = tasksOn(queueOf())
    for (let i = 0; i < 10; i++) void tasks.add(['a', 'greedy'], `greedy${i}`)
    void tasks.add(['a', 'modest'], 'modest')
    void tasks.add(['a'], 'own')
    for (const name of ['greedy0', 'modest']) await tasks.end(name)
    expect(tasks.started.slice(0, 3).toSorted()).toEqual(['greedy0', 'modest', 'own'])
  })

  it('rejects only the tenant with too many waiting tasks', async () => {
    const tasks = tasksOn(queueOf({ maxWaiting: 2 }))
    for (const name of ['a0', 'a1', 'a2']) void tasks.add(['a'], name)
    await expect(tasks.add(['a'], 'a3')).rejects.toThrow('refused')
    void tasks.add(['b'], 'b')
    await tasks.end('a0')
    expect(tasks.started).toEqual(['a0', 'b'])
  })

  it('removes a waiting task when its signal aborts', async () => {
    const queue = queueOf()
    const tasks = tasksOn(queue)
    void tasks.add(['a'], 'a')
    const controller = new AbortController()
    const waiting = tasks.add(['b'], 'b', controller.signal)
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await tasks.end('a')
    expect(tasks.started).toEqual(['a'])
    expect(queue.status()).toMatchObject({ running: 0, waiting: 0, projects: 0 })
  })

  it('gives a place immediately only if one is free for the tenant, and takes it back once', async () => {
    const queue = queueOf({ width: 2, widthPerProject: 1 })
    const leave = queue.enterNow(['a', 'user'])
    expect(leave).toBeTypeOf('function')
    expect(queue.enterNow(['a', 'other user'])).toBeUndefined()
    const leaveOther = queue.enterNow(['b'])
    expect(queue.enterNow(['c'])).toBeUndefined()
    expect(queue.status()).toMatchObject({ running: 2, waiting: 0, projects: 2, refused: 0 })
    leave?.()
    leave?.()
    expect(queue.status()).toMatchObject({ running: 1, projects: 1 })
    expect(queue.enterNow(['a'])).toBeTypeOf('function')
    expect(queue.enterNow(['c'])).toBeUndefined()
    leaveOther?.()
    expect(queue.enterNow(['c'])).toBeTypeOf('function')
  })

  it('gives no place immediately ahead of waiting tasks, which get the next free place', async () => {
    const queue = queueOf()
    const tasks = tasksOn(queue)
    const leave = queue.enterNow(['a'])
    void tasks.add(['b'], 'b')
    expect(tasks.started).toEqual([])
    leave?.()
    expect(queue.enterNow(['c'])).toBeUndefined()
    await tasks.end('b')
    expect(tasks.started).toEqual(['b'])
    expect(queue.enterNow(['c'])).toBeTypeOf('function')
  })

  it('reports whether another tenant is waiting', async () => {
    const queue = queueOf()
    const tasks = tasksOn(queue)
    for (const name of ['a0', 'a1']) void tasks.add(['a', 'user'], name)
    expect(queue.isWantedByOthers(['a', 'user'])).toBe(false)
    expect(queue.isWantedByOthers(['a'])).toBe(true)
    expect(queue.isWantedByOthers(['b'])).toBe(true)
    void tasks.add(['b'], 'b')
    expect(queue.isWantedByOthers(['a', 'user'])).toBe(true)
    for (const name of ['a0', 'b', 'a1']) await tasks.end(name)
    expect(queue.isWantedByOthers(['c'])).toBe(false)
  })

  it('never rejects a further step, which waits for its turn like other tasks', async () => {
    const queue = queueOf({ maxWaiting: 1 })
    const tasks = tasksOn(queue)
    for (const name of ['a0', 'a1']) void tasks.add(['a'], name)
    await expect(tasks.add(['a'], 'a2')).rejects.toThrow('refused')
    const steps = ['a3', 'a4'].map((name) => queue.resume(['a'], async () => tasks.started.push(name)))
    void tasks.add(['b'], 'b')
    for (const name of ['a0', 'b', 'a1']) await tasks.end(name)
    await Promise.all(steps)
    expect(tasks.started).toEqual(['a0', 'b', 'a1', 'a3', 'a4'])
  })

  it('removes a further step when its signal aborts', async () => {
    const queue = queueOf()
    const tasks = tasksOn(queue)
    void tasks.add(['a'], 'a')
    const controller = new AbortController()
    const step = queue.resume(['a'], async () => tasks.started.push('step'), controller.signal)
    controller.abort(new Error('gone'))
    await expect(step).rejects.toThrow('gone')
    await tasks.end('a')
    expect(tasks.started).toEqual(['a'])
  })

  it('runs every task once, never more at a time than allowed, and is empty at the end', async () => {
    const tenant = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
    )
    const widths = fc.record({
      width: fc.integer({ min: 1, max: 4 }),
      widthPerProject: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(tenant, fc.boolean()), { maxLength: 40 }),
        widths,
        async (tasks, options) => {
          const queue = queueOf(options)
          const running = new Map<string, number>()
          let all = 0
          const results = await Promise.allSettled(
            tasks.map(([who, fails]) =>
              queue.run(who as Tenant, async () => {
                const [project] = who
                all += 1
                running.set(project, (running.get(project) ?? 0) + 1)
                expect(all).toBeLessThanOrEqual(options.width)
                expect(running.get(project)).toBeLessThanOrEqual(options.widthPerProject)
                await null
                all -= 1
                running.set(project, (running.get(project) ?? 0) - 1)
                if (fails) throw new Error('failed')
                return true
              }),
            ),
          )
          const failed = tasks.filter(([, fails]) => fails).length
          expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(failed)
          expect(queue.status()).toEqual({ running: 0, waiting: 0, projects: 0, refused: 0 })
        },
      ),
    )
  })
})
