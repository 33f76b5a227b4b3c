import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { runFor } from '../lib/current-work.ts'
import { QueueLoop } from './loop.ts'
import type { ClaimedJob, JobStore } from './store.ts'
import { shareOf } from './turns.ts'

/**
 * The result of a job. `done`: finished. `again`: continue after other projects had their turn; this does not count as
 * a try. `retryAt`: another try at that time (epoch milliseconds).
 */
export type JobOutcome = 'done' | 'again' | { retryAt: number; error?: string }

/**
 * The handler of a queue. `run` must be idempotent: a job may run more than once, because its process can die before
 * the end is stored. If `run` throws, the job is tried again after the back-off, up to `maxAttempts`.
 */
export interface Queue {
  concurrency: number
  /** Maximum number of jobs of one project at a time; default `shareOf(concurrency)`. */
  perProject?: number
  /** Places that only projects without a running job get; default 0. For jobs that take long. */
  reserved?: number
  maxAttempts: number
  backoff: Backoff
  /** `signal` aborts if the runner stops or has lost the lease; work that continues anyway is repeated elsewhere. */
  run(job: { payload: unknown; attempt: number }, signal: AbortSignal): Promise<JobOutcome>
}

/** For the log. Without the id of the job, which may contain the name of a file. */
interface JobReport {
  queue: string
  attempt?: number
  /** If true, the job is not tried again. */
  dead?: boolean
  error: unknown
}

export interface RunnerOptions {
  store: JobStore
  report: (report: JobReport) => void
  /** How often to look at a queue without a wake-up. */
  pollMs?: number
  /** Lease of a job. A live process renews it three times per lease; the jobs of a dead process are free after it. */
  leaseMs?: number
  /** Time for running jobs to finish when the runner stops. */
  graceMs?: number
}

/**
 * Runs due jobs. Any number of runners, in any number of processes, may share a database: each job runs in one of
 * them at a time, and another one takes it over when the lease ends.
 */
export class JobRunner {
  readonly #options: Required<RunnerOptions>
  readonly #loops = new Map<string, QueueLoop>()
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #started = false

  constructor(options: RunnerOptions) {
    this.#options = { pollMs: 1_000, leaseMs: 20_000, graceMs: 2_000, ...options }
  }

  /** Registers the handlers of queues; call it before `start`. Jobs of other queues are left to other processes. */
  handle(queues: Record<string, Queue>): void {
    for (const [name, queue] of Object.entries(queues)) this.#loops.set(name, this.#createLoop(name, queue))
  }

  start(): void {
    if (this.#started || this.#stopping.signal.aborted) return
    this.#started = true
    for (const loop of this.#loops.values()) loop.start()
  }

  /** Looks at the queue now. Call it after a commit that may have added a job. */
  wake(queue: string): void {
    this.#loops.get(queue)?.wake()
  }

  /** Claims no more jobs, gives running jobs time to finish, then aborts them and returns them to the queue. */
  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()))
    const grace = setTimeout(() => this.#stopping.abort(new Error('stopping')), this.#options.graceMs)
    await Promise.all(this.#running)
    clearTimeout(grace)
    this.#stopping.abort(new Error('stopping'))
  }

  #createLoop(name: string, queue: Queue): QueueLoop {
    const { store, pollMs, leaseMs, report } = this.#options
    return new QueueLoop({
      concurrency: queue.concurrency,
      perProject: queue.perProject ?? shareOf(queue.concurrency),
      reserved: queue.reserved ?? 0,
      pollMs,
      nextDue: () => store.nextDue(name),
      dueProjects: () => store.dueProjects(name),
      claim: (claims) => store.claim(name, claims, leaseMs),
      run: (job) => {
        const work = this.#run(job, queue).finally(() => this.#running.delete(work))
        this.#running.add(work)
        return work
      },
      onError: (error) => report({ queue: name, error }),
    })
  }

  /** Never rejects. If the end of a job cannot be stored, the job is taken over when its lease ends. */
  async #run(job: ClaimedJob, queue: Queue): Promise<void> {
    const lost = new AbortController()
    const renewal = this.#keepRenewing(job, lost)
    try {
      await this.#carryOut(job, queue, AbortSignal.any([lost.signal, this.#stopping.signal]))
    } catch (error) {
      this.#report(job, error)
    } finally {
      clearInterval(renewal)
    }
  }

  async #carryOut(job: ClaimedJob, queue: Queue, signal: AbortSignal): Promise<void> {
    const { store } = this.#options
    // The process died in every try, so no try could end the job.
    if (job.attempt > queue.maxAttempts)
      return this.#bury(job, new Error('the process ended during each try'))
    try {
      // The tenant applies to the work only: lease renewals must not wait behind the writes of a busy project.
      const outcome = await runFor([job.projectId], () => queue.run(job, signal))
      if (outcome === 'done') await store.finish(job)
      else if (outcome === 'again') await store.release(job)
      else await store.retryAt(job, outcome.retryAt, outcome.error ?? null)
    } catch (error) {
      if (signal.aborted) await store.release(job)
      else if (job.attempt >= queue.maxAttempts) await this.#bury(job, error)
      else {
        this.#report(job, error)
        await store.retryAt(job, Date.now() + backoffMs(job.attempt, queue.backoff), String(error))
      }
    }
  }

  async #bury(job: ClaimedJob, error: unknown): Promise<void> {
    const { queue, attempt } = job
    this.#options.report({ queue, attempt, dead: true, error })
    await this.#options.store.bury(job, String(error))
  }

  #report({ queue, attempt }: ClaimedJob, error: unknown): void {
    this.#options.report({ queue, attempt, error })
  }

  #keepRenewing(job: ClaimedJob, lost: AbortController): NodeJS.Timeout {
    const { store, leaseMs } = this.#options
    let until = Date.now() + leaseMs
    const renew = async () => {
      const next = Date.now() + leaseMs
      // If the database does not respond, the lease ends at its time.
      const kept = await store.renew(job, next).catch(() => Date.now() < until)
      if (kept) until = next
      else lost.abort(new Error('the lease was lost'))
    }
    return setInterval(() => void renew(), leaseMs / 3).unref()
  }
}
