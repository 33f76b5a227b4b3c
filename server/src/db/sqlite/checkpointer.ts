import { DatabaseThread } from './thread.ts'

/** After this many written bytes the log is copied. */
const muchBytes = 2 * 1024 * 1024
/** The thread ends after this time without a copy. */
const idleMs = 5_000

/**
 * Checkpoints the write-ahead log in a separate thread. On the writer thread, a checkpoint would delay a commit, by a
 * tenth of a second on a busy disk. The writer still checkpoints a very long log itself (see `worker.ts`).
 */
export class Checkpointer {
  readonly #file: string
  #thread: DatabaseThread | undefined
  #work: Promise<void> | undefined
  #idle: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Call it after each write, with the estimated number of written bytes. */
  written(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < muchBytes) return
    this.#work ??= this.#copy().finally(() => {
      this.#work = undefined
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#work
    await this.#end()
  }

  async #copy(): Promise<void> {
    this.#bytes = 0
    clearTimeout(this.#idle)
    this.#thread ??= new DatabaseThread({ file: this.#file, role: 'checkpointer' })
    // After a failure, the next checkpoint or the writer copies the rest.
    await this.#thread.send({ op: 'script', sql: 'pragma wal_checkpoint(passive)' }).catch(() => {})
    this.#idle = setTimeout(() => void this.#end(), idleMs).unref()
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close().catch(() => {})
  }
}
