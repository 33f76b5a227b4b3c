/** The runs that this process works on, each with what ends its calls when the run is cancelled or deleted. */
export class RunWatch {
  readonly #isRunning: (projectId: string, runId: string) => Promise<boolean>
  readonly #everyMs: number
  readonly #watched = new Map<string, { lanes: number; ended: AbortController; timer: NodeJS.Timeout }>()

  /** Other processes may end a run: its state is looked at every so often. */
  constructor(isRunning: (projectId: string, runId: string) => Promise<boolean>, everyMs = 500) {
    this.#isRunning = isRunning
    this.#everyMs = everyMs
  }

  /** The run ended here: its calls are aborted at once. */
  end(runId: string): void {
    this.#watched.get(runId)?.ended.abort(new Error('the run has ended'))
  }

  /** Carries out work on a run with a signal that aborts when the run ends. */
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
    const look = async () => {
      // A database that is away says nothing about the run.
      const isRunning = await this.#isRunning(projectId, runId).catch(() => true)
      if (!isRunning) ended.abort(new Error('the run has ended'))
    }
    const timer = setInterval(() => void look(), this.#everyMs).unref()
    const watched = { lanes: 0, ended, timer }
    this.#watched.set(runId, watched)
    return watched
  }
}
