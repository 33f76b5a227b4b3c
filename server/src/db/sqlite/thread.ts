import { Worker } from 'node:worker_threads'
import { DatabaseError, statementTimeout } from '../../lib/database-error.ts'
import { workerModule } from '../../lib/package.ts'
import type { ThreadRequest, ThreadResponse, ThreadResult, ThreadSetup } from './protocol.ts'

/** Rows of large results are short-lived objects. By default, a thread keeps 100 MB for them. */
const youngMemoryMb = 24

interface Waiting {
  resolve: (result: ThreadResult) => void
  reject: (error: Error) => void
}

/** The main thread's side of a database thread. Responses come in the order of the requests. */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 0
  #nextStream = 0
  #failure: Error | undefined

  constructor(setup: ThreadSetup) {
    this.#worker = new Worker(workerModule('db/sqlite/worker'), {
      workerData: setup,
      resourceLimits: { maxYoungGenerationSizeMb: youngMemoryMb },
    })
    this.#worker.on('message', (response: ThreadResponse) => this.#settle(response))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the database thread has ended')))
  }

  /** Number of running and queued requests of this thread. */
  get pending(): number {
    return this.#waiting.size
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  send(request: ThreadRequest): Promise<ThreadResult> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, request })
    })
  }

  newStreamId(): number {
    return this.#nextStream++
  }

  async close(): Promise<void> {
    if (!this.#failure) await this.send({ op: 'close' })
    await this.#worker.terminate()
  }

  #settle(response: ThreadResponse): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if (response.ok) waiting?.resolve(response.result)
    else waiting?.reject(new DatabaseError(response.message, sqlStateOf(response.resultCode)))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure)
    this.#waiting.clear()
  }
}

/** Maps SQLite's extended result codes (https://sqlite.org/rescode.html) to the equivalent SQLSTATE. */
function sqlStateOf(code: number | undefined): string | undefined {
  if (code === 1555 || code === 2067) return '23505'
  if (code === 787) return '23503'
  if (code === 1299) return '23502'
  if (code === 9) return statementTimeout
  return undefined
}
