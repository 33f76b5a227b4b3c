import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { runFor } from '../lib/current-tenant.ts'
import { QueueLoop } from './loop.ts'
import type { ClaimedJob, JobStore } from './store.ts'
import { shareOf } from './turns.ts'

/**
 * What a job asks for at its end: nothing more; `again`, to go on when others have had their turn, which counts as no
 * try; or another try at that moment (epoch milliseconds).
 */
export type JobOutcome = 'done' | 'again' | { retryAt: number; error?: string }

/**
 * How the jobs of a queue are run. A job may run more than once (its process may die right before the end is
 * noted), so `run` must bear that. A throw means another try after the back-off, until the last one was made.
 */
export interface Queue {
  concurrency: number
  /** Jobs of one project at a time; default `shareOf(concurrency)`. */
  perProject?: number
  maxAttempts: number
  backoff: Backoff
  /** `signal` aborts when the runner stops or has lost the job; what it still does is done twice. */
  run(job: { payload: unknown; attempt: number }, signal: AbortSignal): Promise<JobOutcome>
}

interface JobReport {
  queue: string
  job_id?: string
  attempt?: number
  /** It is not tried again. */
  dead?: boolean
  error: unknown
}

export interface RunnerOptions {
  store: JobStore
  report: (report: JobReport) => void
  /** How often a queue is looked at when nobody wakes it. */
  pollMs?: number
  /** A process that dies holds its jobs for this long; one that lives renews its lease three times as often. */
  leaseMs?: number
  /** What jobs under way get to finish when the runner stops. */
  graceMs?: number
}

/**
 * Runs due jobs. Any number of runners, in any number of processes, may share a database: a job is run by one at
 * a time, and taken over when its holder's lease ends.
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

  /** Says how the jobs of queues are run; before `start`. Jobs of other queues are left to other processes. */
  handle(queues: Record<string, Queue>): void {
    for (const [name, queue] of Object.entries(queues)) this.#loops.set(name, this.#createLoop(name, queue))
  }

  start(): void {
    if (this.#started || this.#stopping.signal.aborted) return
    this.#started = true
    for (const loop of this.#loops.values()) loop.start()
  }

  /** Look at the queue now: to be called after a commit that may have put something into it. */
  wake(queue: string): void {
    this.#loops.get(queue)?.wake()
  }

  /** Takes no more jobs, gives those under way a moment, then aborts them and hands them back. */
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

  /** Never rejects. A job whose end cannot be written is taken over when its lease ends. */
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
    // More tries than there are: the process died in each of them.
    if (job.attempt > queue.maxAttempts)
      return this.#bury(job, new Error('the process ended during each try'))
    try {
      // Only the work itself: the renewal of leases must not wait behind the writes of a busy project.
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
    const { queue, jobId, attempt } = job
    this.#options.report({ queue, job_id: jobId, attempt, dead: true, error })
    await this.#options.store.bury(job, String(error))
  }

  #report({ queue, jobId, attempt }: ClaimedJob, error: unknown): void {
    this.#options.report({ queue, job_id: jobId, attempt, error })
  }

  #keepRenewing(job: ClaimedJob, lost: AbortController): NodeJS.Timeout {
    const { store, leaseMs } = this.#options
    let until = Date.now() + leaseMs
    const renew = async () => {
      const next = Date.now() + leaseMs
      // Without an answer the lease ends when it ends.
      const kept = await store.renew(job, next).catch(() => Date.now() < until)
      if (kept) until = next
      else lost.abort(new Error('the lease was lost'))
    }
    return setInterval(() => void renew(), leaseMs / 3).unref()
  }
}
