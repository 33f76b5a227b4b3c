/** The runs that this process works on. It aborts the calls of a run that is cancelled or deleted. */
export class RunWatch {
  readonly #isRunning: (projectId: string, runId: string) => Promise<boolean>
  readonly #everyMs: number
  readonly #watched = new Map<string, { lanes: number; ended: AbortController; timer: NodeJS.Timeout }>()

  /** Reads the state of the runs every `everyMs` milliseconds, because another process may end a run. */
  constructor(isRunning: (projectId: string, runId: string) => Promise<boolean>, everyMs = 500) {
    this.#isRunning = isRunning
    this.#everyMs = everyMs
  }

  /** Aborts the calls of a run at once. Call it after this process has ended the run. */
  end(runId: string): void {
    this.#watched.get(runId)?.ended.abort(new Error('the run has ended'))
  }

  /** Does work on a run, with a signal that aborts when the run ends. */
  async during<T>(projectId: string, runId: string, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const watched = this.#watched.get(runId) ?? this.#begin(projectId, runId)
    watched.lanes += 1
    try {
      return await work(watched.ended.signal)
    } finally {
      watched.lanes -= 1
      if (watched.lanes === 0) {
        clearInterval(watched.timer)
        this.#watched.delete(runId)
      }
    }
  }

  #begin(projectId: string, runId: string) {
    const ended = new AbortController()
    const check = async () => {
      // If the database is unreachable, the state of the run is unknown, so it continues.
      const isRunning = await this.#isRunning(projectId, runId).catch(() => true)
      if (!isRunning) ended.abort(new Error('the run has ended'))
    }
    const timer = setInterval(() => void check(), this.#everyMs).unref()
    const watched = { lanes: 0, ended, timer }
    this.#watched.set(runId, watched)
    return watched
  }
}
