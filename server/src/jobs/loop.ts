import type { ClaimedJob } from './store.ts'
import { type Claim, Turns } from './turns.ts'

export interface LoopOptions {
  concurrency: number
  /** Maximum number of jobs of one project that run at a time. */
  perProject: number
  /** Places that only projects without a running job get. */
  reserved: number
  pollMs: number
  nextDue: () => Promise<number | undefined>
  /** The projects with due jobs. */
  dueProjects: () => Promise<string[]>
  claim: (claims: readonly Claim[]) => Promise<ClaimedJob[]>
  /** Never rejects. */
  run: (job: ClaimedJob) => Promise<void>
  onError: (error: unknown) => void
}

/** Claims jobs of one queue while places are free, project by project in turn. Sleeps while no job is due. */
export class QueueLoop {
  readonly #options: LoopOptions
  readonly #turns: Turns
  #free: number
  #stopping = false
  #loop: Promise<void> | undefined
  #woken = Promise.withResolvers<void>()
  #failures = 0

  constructor(options: LoopOptions) {
    this.#options = options
    this.#turns = new Turns(options.perProject, options.reserved)
    this.#free = options.concurrency
  }

  start(): void {
    this.#loop ??= this.#work()
  }

  wake(): void {
    this.#woken.resolve()
  }

  /** Resolves when the loop will not claim further jobs. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.wake()
    await this.#loop
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      // From here on, a wake-up may be about jobs that the next claim misses.
      this.#woken = Promise.withResolvers()
      await this.#rest(await this.#look())
    }
  }

  /** Starts due jobs; returns how long to sleep, 0 for not at all. */
  async #look(): Promise<number> {
    const { pollMs, nextDue, dueProjects, claim, onError } = this.#options
    // The end of a job wakes the loop.
    if (this.#free === 0) return pollMs
    try {
      const next = await nextDue()
      this.#failures = 0
      const wait = next === undefined ? pollMs : next - Date.now()
      if (wait > 0) return Math.min(wait, pollMs)
      const claims = this.#turns.choose(await dueProjects(), this.#free)
      // Every project with due jobs already runs as many as it may; the end of a job wakes the loop.
      if (claims.length === 0) return pollMs
      const jobs = await claim(claims)
      for (const job of jobs) this.#begin(job)
      // Another process has claimed the due jobs first.
      return jobs.length === 0 ? Math.min(50, pollMs) : 0
    } catch (error) {
      this.#failures += 1
      // An unreachable database is reported once, when the outage begins.
      if (this.#failures === 1) onError(error)
      return Math.min(pollMs * this.#failures, 10_000)
    }
  }

  #begin(job: ClaimedJob): void {
    this.#free -= 1
    this.#turns.begin(job.projectId)
    void this.#options.run(job).finally(() => {
      this.#free += 1
      this.#turns.end(job.projectId)
      this.wake()
    })
  }

  async #rest(ms: number): Promise<void> {
    if (ms <= 0 || this.#stopping) return
    const timer = setTimeout(() => this.#woken.resolve(), ms)
    await this.#woken.promise
    clearTimeout(timer)
  }
}
