import type { ClaimedJob } from './store.ts'

export interface LoopOptions {
  concurrency: number
  pollMs: number
  nextDue: () => Promise<number | undefined>
  claim: (limit: number) => Promise<ClaimedJob[]>
  /** Never rejects. */
  run: (job: ClaimedJob) => Promise<void>
  onError: (error: unknown) => void
}

/** Claims jobs of one queue while it has hands free, and rests while nothing is due. */
export class QueueLoop {
  readonly #options: LoopOptions
  #free: number
  #stopping = false
  #loop: Promise<void> | undefined
  #woken = Promise.withResolvers<void>()
  #failures = 0

  constructor(options: LoopOptions) {
    this.#options = options
    this.#free = options.concurrency
  }

  start(): void {
    this.#loop ??= this.#work()
  }

  wake(): void {
    this.#woken.resolve()
  }

  /** Resolves when no further job will be claimed. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.wake()
    await this.#loop
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      // Whoever wakes us from here on means jobs that the next look may miss.
      this.#woken = Promise.withResolvers()
      await this.#rest(await this.#look())
    }
  }

  /** Begins what is due; answers how long to rest, 0 for not at all. */
  async #look(): Promise<number> {
    const { pollMs, nextDue, claim, onError } = this.#options
    // The end of a job wakes us.
    if (this.#free === 0) return pollMs
    try {
      const next = await nextDue()
      this.#failures = 0
      const wait = next === undefined ? pollMs : next - Date.now()
      if (wait > 0) return Math.min(wait, pollMs)
      const jobs = await claim(this.#free)
      for (const job of jobs) this.#begin(job)
      // Due, but none for us: another process was quicker.
      return jobs.length === 0 ? Math.min(50, pollMs) : 0
    } catch (error) {
      this.#failures += 1
      // A database that is away is reported when that begins, and no more until it is back.
      if (this.#failures === 1) onError(error)
      return Math.min(pollMs * this.#failures, 10_000)
    }
  }

  #begin(job: ClaimedJob): void {
    this.#free -= 1
    void this.#options.run(job).finally(() => {
      this.#free += 1
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
