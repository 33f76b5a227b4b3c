import { CairnError, limits } from '@cairn/contract'
import { sha256 } from '../../lib/hash.ts'
import { sha256OfJson } from '../../lib/json/encode.ts'
import { KeyedLock } from '../../lib/keyed-lock.ts'
import type { NewTrace } from './facts.ts'
import { type IdempotencyRow, type IdempotencyStore, idempotencyInsert } from './store/index.ts'
import type { StepRows } from './store.ts'

/** A request that may be sent again; `route` keeps the same key apart on different endpoints. */
export interface RepeatableRequest<T> {
  projectId: string
  route: string
  key: string
  body: unknown
  /** The traces to be written, in steps, and the answer that tells their ids. */
  steps: readonly (readonly NewTrace[])[]
  answer: T
  /** Steps of the traces that are still missing of an answer whose request did not come to its end. */
  missingSteps: (answer: T, createdMs: number) => Promise<NewTrace[][]>
  /** Writes each step with the rows that belong to it. */
  write: (steps: readonly (readonly NewTrace[])[], rows: KeyRows) => Promise<'written' | 'taken'>
}

/** Rows for the first and for the last step of a write. */
export interface KeyRows {
  first?: StepRows
  last?: StepRows
}

/** Tries to complete a request beside another process that does so too. */
const maxTries = 20

function checkKey(key: string): void {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return
  throw new CairnError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters')
}

/** Gives the first answer again to a request that was sent before with the same key and body. */
export class IdempotentWrites {
  readonly #store: IdempotencyStore
  readonly #lock = new KeyedLock()

  constructor(store: IdempotencyStore) {
    this.#store = store
  }

  /**
   * Writes and returns the answer, or returns the first answer. The key is written with the first step, so that of two
   * requests at once only one writes; what an earlier one has left out is added.
   *
   * @throws `conflict` for the key with another body
   */
  async run<T>(request: RepeatableRequest<T>): Promise<T> {
    checkKey(request.key)
    const keyHash = sha256(`${request.route} ${request.key}`)
    const requestHash = await sha256OfJson(request.body)
    const attempt = new Attempt(this.#store, request, keyHash, requestHash)
    return this.#lock.run(`${request.projectId} ${keyHash}`, () => attempt.run())
  }
}

class Attempt<T> {
  readonly #store: IdempotencyStore
  readonly #request: RepeatableRequest<T>
  readonly #keyHash: string
  readonly #requestHash: string

  constructor(store: IdempotencyStore, request: RepeatableRequest<T>, keyHash: string, requestHash: string) {
    this.#store = store
    this.#request = request
    this.#keyHash = keyHash
    this.#requestHash = requestHash
  }

  async run(): Promise<T> {
    for (let tried = 1; ; tried++) {
      const row = await this.#known()
      if (row?.complete) return JSON.parse(row.response) as T
      const answer = await (row ? this.#complete(row) : this.#begin())
      if (answer !== 'taken') return answer
      // Another process was faster, with the key or with a trace: what it wrote is there now.
      if (tried === maxTries) throw new Error('the request could not be completed beside another one')
    }
  }

  async #known(): Promise<IdempotencyRow | undefined> {
    const { projectId } = this.#request
    const row = await this.#store.find(projectId, this.#keyHash)
    if (!row) return undefined
    const oldest = Date.now() - limits.idempotencyMs
    if (row.created_at < oldest) {
      await this.#store.forget(projectId, oldest)
      return undefined
    }
    if (row.request_hash === this.#requestHash) return row
    throw new CairnError('conflict', 'this Idempotency-Key was used with another body')
  }

  async #begin(): Promise<T | 'taken'> {
    const { projectId, answer, steps, write } = this.#request
    const isWhole = steps.length === 1
    const insert = idempotencyInsert({
      project_id: projectId,
      key_hash: this.#keyHash,
      request_hash: this.#requestHash,
      response: JSON.stringify(answer),
      created_at: Date.now(),
      complete: isWhole ? 1 : 0,
    })
    const last = !isWhole && { last: this.#completion() }
    const outcome = await write(steps, { first: { inserts: [insert] }, ...last })
    return outcome === 'taken' ? outcome : answer
  }

  async #complete(row: IdempotencyRow): Promise<T | 'taken'> {
    const answer = JSON.parse(row.response) as T
    const missing = await this.#request.missingSteps(answer, row.created_at)
    const steps = missing.length > 0 ? missing : [[]]
    const outcome = await this.#request.write(steps, { last: this.#completion() })
    return outcome === 'taken' ? outcome : answer
  }

  #completion(): StepRows {
    return { after: [this.#store.completion(this.#request.projectId, this.#keyHash)] }
  }
}
