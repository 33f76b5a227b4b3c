import { DatabaseThread } from './thread.ts'

/** Between two looks. What has been written since is copied at each; sooner when it is much. */
const everyMs = 1_000
const muchBytes = 2 * 1024 * 1024
/** After so many looks without a write the thread ends. */
const mostIdle = 10

/**
 * Copies what has been written from the log into the database file, in a thread of its own: on the writer's thread it
 * would be part of somebody's commit, and takes a tenth of a second on a busy disk. The writer's own limit stays for
 * a log that is never still (see `worker.ts`).
 */
export class Checkpointer {
  readonly #file: string
  #thread: DatabaseThread | undefined
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> | undefined
  #isDue = false
  #bytes = 0
  #idle = 0
  #closed = false

  constructor(file: string) {
    this.#file = file
  }

  /** To be called after each write; `bytes` of large ones. */
  written(bytes: number): void {
    this.#isDue = true
    this.#bytes += bytes
    if (this.#bytes > muchBytes) this.#look()
    else this.#timer ??= this.#rest()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#work
    await this.#thread?.close()
  }

  #rest(): NodeJS.Timeout {
    return setTimeout(() => this.#look(), everyMs).unref()
  }

  #look(): void {
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined
    })
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#idle = this.#isDue ? 0 : this.#idle + 1
    if (this.#idle > mostIdle) return this.#end()
    if (this.#isDue) await this.#checkpoint()
    if (!this.#closed) this.#timer = this.#rest()
  }

  async #checkpoint(): Promise<void> {
    this.#isDue = false
    this.#bytes = 0
    this.#thread ??= new DatabaseThread({ file: this.#file, role: 'checkpointer' })
    // One that fails is made up for by the next, or by the writer.
    await this.#thread.send({ op: 'script', sql: 'pragma wal_checkpoint(passive)' }).catch(() => {})
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close().catch(() => {})
  }
}
