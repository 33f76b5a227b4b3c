import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/index.ts'
import {
  createJobStore,
  enqueue,
  type JobOutcome,
  JobRunner,
  type NewJob,
  type Queue,
  standingJobs,
  withdraw,
} from '../../src/jobs/index.ts'
import { currentTenant } from '../../src/lib/current-work.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'

type Run = Queue['run']

describeEachDatabase('the durable queue', (database) => {
  const runners: JobRunner[] = []
  const reports: unknown[] = []
  const store = (db = database.db) => createJobStore(db)

  function runner(
    queue: string,
    run: Run,
    options: { db?: Db; leaseMs?: number; graceMs?: number } & Partial<Queue> = {},
  ): JobRunner {
    const { db = database.db, leaseMs = 30_000, graceMs = 100, ...values } = options
    const backoff = { baseMs: 20, maxMs: 100 }
    const made = new JobRunner({
      store: createJobStore(db),
      report: (report) => reports.push(report),
      pollMs: 50,
      leaseMs,
      graceMs,
    })
    made.handle({ [queue]: { concurrency: 4, maxAttempts: 5, backoff, run, ...values } })
    runners.push(made)
    made.start()
    return made
  }

  const projectId = newId('proj_')

  function add(queue: string, payload: object, values: Partial<NewJob> = {}) {
    return database.db.transaction((trx) => enqueue(trx, { queue, projectId, payload, ...values }))
  }

  const claim = (queue: string, most: number, leaseMs: number) =>
    store().claim(queue, [{ projectId, most }], leaseMs)

  function rows(queue: string) {
    return database.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('queue', '=', queue)
      .orderBy('job_id')
      .execute()
  }

  const untilEmpty = (queue: string) =>
    vi.waitFor(async () => expect(await rows(queue)).toEqual([]), { timeout: 45_000, interval: 20 })

  afterEach(async () => {
    await Promise.all(runners.splice(0).map((each) => each.stop()))
    reports.length = 0
  })

  it('contains a job if and only if its transaction commits', async () => {
    const queue = newId('q')
    const failed = database.db.transaction(async (trx) => {
      await enqueue(trx, { queue, projectId, payload: { lost: true } })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await add(queue, { kept: 'ü😀' })
    expect((await rows(queue)).map(({ payload }) => JSON.parse(payload))).toEqual([{ kept: 'ü😀' }])
  })

  it('contains one job per id, and withdraws it only while it does not run', async () => {
    const queue = newId('q')
    const jobId = newId('job_')
    expect([await add(queue, { n: 1 }, { jobId }), await add(queue, { n: 2 }, { jobId })]).toEqual([
      true,
      false,
    ])
    const take = () => database.db.transaction((trx) => withdraw(trx, jobId))
    await claim(queue, 1, 5_000)
    await take()
    expect(await rows(queue)).toHaveLength(1)
    await database.db.transaction((trx) => trx.updateTable('jobs').set({ lock_token: null }).execute())
    await take()
    expect(await rows(queue)).toEqual([])
  })

  it('runs a job as its project, so that its writes use the turns of the project', async () => {
    const queue = newId('q')
    const projects = [newId('proj_'), newId('proj_')]
    for (const of of projects) await add(queue, { of }, { projectId: of })
    const seen: unknown[] = []
    runner(queue, async ({ payload }) => {
      await pause(1)
      seen.push([(payload as { of: string }).of, currentTenant()])
      return 'done'
    })
    await untilEmpty(queue)
    expect(seen.toSorted()).toEqual(projects.map((of) => [of, [of]]).toSorted())
  })

  it('claims at most the requested number of due jobs of its queue, longest due first', async () => {
    const [queue, other] = [newId('q'), newId('q')]
    const now = Date.now()
    for (const [n, runAt] of [now - 10, now - 30, now - 20, now + 60_000].entries())
      await add(queue, { n }, { runAt })
    await add(other, { n: 9 })
    const numbers = (jobs: { payload: unknown }[]) =>
      jobs.map(({ payload }) => (payload as { n: number }).n).sort()
    expect(numbers(await claim(queue, 2, 5_000))).toEqual([1, 2])
    expect(numbers(await claim(queue, 2, 5_000))).toEqual([0])
    expect(numbers(await claim(queue, 2, 5_000))).toEqual([])
    expect(await store().nextDue(queue)).toBeGreaterThan(now + 4_000)
  })

  it('runs each of many jobs once in two competing processes', async () => {
    const queue = newId('q')
    const again = await database.openAgain()
    const begun: number[] = []
    let atOnce = 0
    let most = 0
    const run: Run = async ({ payload }) => {
      begun.push((payload as { n: number }).n)
      most = Math.max(most, ++atOnce)
      await pause(1)
      atOnce -= 1
      return 'done'
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => add(queue, { n })))
    runner(queue, run)
    runner(queue, run, { db: again })
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(queue, { n: 60 + n })))
    await untilEmpty(queue)
    expect(begun.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, n) => n))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
    expect(reports).toEqual([])
  })

  it('starts a job at once after a wake-up', async () => {
    const queue = newId('q')
    const { promise, resolve } = Promise.withResolvers<number>()
    const slow = new JobRunner({
      store: store(),
      report: (report) => reports.push(report),
      pollMs: 60_000,
    })
    slow.handle({
      [queue]: {
        concurrency: 1,
        maxAttempts: 1,
        backoff: { baseMs: 1, maxMs: 1 },
        run: async () => {
          resolve(performance.now())
          return 'done'
        },
      },
    })
    runners.push(slow)
    slow.start()
    await pause(100)
    await add(queue, {})
    const committed = performance.now()
    slow.wake(queue)
    expect((await promise) - committed).toBeLessThan(10_000)
  })

  it('retries after a failure, up to the maximum, and keeps a dead job with its error', async () => {
    const queue = newId('q')
    const times: number[] = []
    const attempts: number[] = []
    runner(
      queue,
      async ({ payload, attempt }) => {
        if ((payload as { dies: boolean }).dies) {
          times.push(performance.now())
          throw new Error('it never works\0')
        }
        attempts.push(attempt)
        if (attempt < 3) throw new Error('not yet')
        return 'done'
      },
      { maxAttempts: 4 },
    )
    await add(queue, { dies: true })
    await add(queue, { dies: false })
    await vi.waitFor(async () => expect(await rows(queue)).toMatchObject([{ status: 'dead' }]), {
      timeout: 45_000,
    })
    expect(attempts).toEqual([1, 2, 3])
    expect(times).toHaveLength(4)
    expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(18 + 36 + 72)
    expect(await rows(queue)).toMatchObject([
      { attempts: 4, lock_token: null, last_error: 'Error: it never works\ufffd' },
    ])
    expect(reports.filter((report) => (report as { dead?: boolean }).dead)).toHaveLength(1)
    await pause(200)
    expect(times).toHaveLength(4)
  })

  it('runs a job again if it requests that', async () => {
    const queue = newId('q')
    const seen: number[] = []
    runner(queue, async ({ attempt }): Promise<JobOutcome> => {
      seen.push(performance.now())
      return attempt === 1 ? { retryAt: Date.now() + 300 } : 'done'
    })
    await add(queue, {})
    await untilEmpty(queue)
    expect(seen).toHaveLength(2)
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBeGreaterThanOrEqual(295)
    expect(reports).toEqual([])
  })

  it('takes over the job of a dead process when its lease ends, and not before', async () => {
    const queue = newId('q')
    await add(queue, {})
    const claimedAt = performance.now()
    const dead = await claim(queue, 1, 600)
    expect(dead).toHaveLength(1)
    const { promise, resolve } = Promise.withResolvers<{ attempt: number; at: number }>()
    runner(queue, async ({ attempt }) => {
      resolve({ attempt, at: performance.now() })
      return 'done'
    })
    const taken = await promise
    expect(taken.attempt).toBe(2)
    expect(taken.at - claimedAt).toBeGreaterThanOrEqual(590)
    await untilEmpty(queue)
    const [late] = dead
    if (!late) throw new Error('nothing was claimed')
    // A late result of the dead process has no effect.
    expect(await store().renew(late, Date.now() + 5_000)).toBe(false)
    expect(await store().retryAt(late, Date.now(), null)).toBe(false)
  })

  it('renews the lease of a long job, so that no other process starts it', async () => {
    const queue = newId('q')
    const again = await database.openAgain()
    let begun = 0
    const run: Run = async (_, signal) => {
      begun += 1
      await pause(4_000)
      expect(signal.aborted).toBe(false)
      return 'done'
    }
    await add(queue, {})
    runner(queue, run, { leaseMs: 1_500 })
    runner(queue, run, { leaseMs: 1_500, db: again })
    await untilEmpty(queue)
    expect(begun).toBe(1)
    expect(reports).toEqual([])
  })

  it('aborts a job that has lost its lease', async () => {
    const queue = newId('q')
    const { promise, resolve } = Promise.withResolvers<unknown>()
    runner(
      queue,
      async (_, signal) => {
        await database.db.transaction((trx) =>
          trx
            .updateTable('jobs')
            .set({ lock_token: 'of another', run_at: Date.now() + 60_000 })
            .where('queue', '=', queue)
            .execute(),
        )
        await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
        resolve(signal.reason)
        return 'done'
      },
      { leaseMs: 150 },
    )
    await add(queue, {})
    expect(String(await promise)).toContain('lease')
    await pause(50)
    expect(await rows(queue)).toMatchObject([{ lock_token: 'of another' }])
  })

  it('lists the projects with due jobs, and claims the requested number of each', async () => {
    const queue = newId('q')
    for (const [projectId, count] of [
      ['a', 30],
      ['', 2],
      ['c', 1],
    ] as const)
      for (let n = 0; n < count; n++) await add(queue, {}, { projectId })
    await add(queue, {}, { projectId: 'b', runAt: Date.now() + 60_000 })
    expect((await store().dueProjects(queue)).sort()).toEqual(['', 'a', 'c'])
    const claims = [
      { projectId: 'a', most: 3 },
      { projectId: '', most: 5 },
      { projectId: 'b', most: 1 },
    ]
    const claimed = await store().claim(queue, claims, 5_000)
    expect(claimed.map(({ projectId }) => projectId).sort()).toEqual(['', '', 'a', 'a', 'a'])
    expect((await store().dueProjects(queue)).sort()).toEqual(['a', 'c'])
    expect(await store().dueProjects(newId('q'))).toEqual([])
  })

  it('runs the job of one project while hundreds of jobs of another project wait behind hanging jobs', async () => {
    const queue = newId('q')
    const jobs = Array.from({ length: 300 }, (): NewJob => ({ queue, projectId: 'busy', payload: {} }))
    await database.db.insertAll([standingJobs(jobs)])
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: served, resolve: serve } = Promise.withResolvers<void>()
    let hanging = 0
    runner(queue, async ({ payload }) => {
      if ((payload as { isLate?: boolean }).isLate) serve()
      else {
        hanging += 1
        await released
      }
      return 'done'
    })
    await vi.waitFor(() => expect(hanging).toBe(3))
    await add(queue, { isLate: true }, { projectId: 'late' })
    await served
    expect(hanging).toBe(3)
    release()
    await untilEmpty(queue)
    expect(hanging).toBe(300)
  })

  it('runs an unfinished job again after jobs of other projects, without counting an attempt', async () => {
    const queue = newId('q')
    const order: string[] = []
    for (const projectId of ['a', 'b']) await add(queue, { projectId }, { projectId })
    const run: Run = async ({ payload, attempt }) => {
      const { projectId } = payload as { projectId: string }
      order.push(`${projectId}${attempt}`)
      return order.length < 6 ? 'again' : 'done'
    }
    runner(queue, run, { concurrency: 1, maxAttempts: 1 })
    await untilEmpty(queue)
    expect(order.slice(0, 6).sort()).toEqual(['a1', 'a1', 'a1', 'b1', 'b1', 'b1'])
    expect(order[0]).not.toBe(order[1])
    expect(reports).toEqual([])
  })

  it('gives up a job if the process died during each attempt', async () => {
    const queue = newId('q')
    await add(queue, {})
    for (let tried = 0; tried < 2; tried++) {
      await claim(queue, 1, 1)
      await pause(5)
    }
    let ran = false
    runner(
      queue,
      async () => {
        ran = true
        return 'done'
      },
      { maxAttempts: 2 },
    )
    await vi.waitFor(async () => expect(await rows(queue)).toMatchObject([{ status: 'dead' }]), {
      timeout: 45_000,
    })
    expect(ran).toBe(false)
  })

  it('stops: starts no jobs, waits a moment, and then returns running jobs to the queue', async () => {
    const queue = newId('q')
    let begun = 0
    const first = runner(
      queue,
      async (_, signal) => {
        begun += 1
        await pause(60_000, undefined, { signal })
        return 'done'
      },
      { concurrency: 1 },
    )
    await add(queue, { n: 1 })
    await vi.waitFor(() => expect(begun).toBe(1), { timeout: 45_000 })
    await add(queue, { n: 2 })
    const from = performance.now()
    await first.stop()
    expect(performance.now() - from).toBeLessThan(10_000)
    expect(begun).toBe(1)
    const left = await rows(queue)
    expect(left).toHaveLength(2)
    expect(left).toMatchObject([{ lock_token: null, attempts: 0, status: 'queued' }, { attempts: 0 }])
    first.start()
    first.wake(queue)
    await pause(150)
    expect(begun).toBe(1)
    runner(queue, async () => 'done')
    await untilEmpty(queue)
  })
})
