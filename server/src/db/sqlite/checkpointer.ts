import { DatabaseThread } from './thread.ts'

/** Written bytes after which the log is copied. */
const muchBytes = 2 * 1024 * 1024
/** After so long without a copy the thread ends. */
const idleMs = 5_000

/**
 * Copies what has been written from the log into the database file, in a thread of its own: on the writer's thread it
 * would be part of somebody's commit, and takes a tenth of a second on a busy disk. The writer's own limit stays for
 * a log that is never still (see `worker.ts`).
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

  /** To be called after each write, with about what it wrote. */
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
    // One that fails is made up for by the next, or by the writer.
    await this.#thread.send({ op: 'script', sql: 'pragma wal_checkpoint(passive)' }).catch(() => {})
    this.#idle = setTimeout(() => void this.#end(), idleMs).unref()
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close().catch(() => {})
  }
}
