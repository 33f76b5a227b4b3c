import { CairnError, limits } from '@cairn/contract'
import { sha256 } from '../../lib/hash.ts'
import { sha256OfJson } from '../../lib/json/encode.ts'
import { KeyedLock } from '../../lib/keyed-lock.ts'
import type { NewTrace } from './facts.ts'
import { type IdempotencyRow, type IdempotencyStore, idempotencyInsert } from './store/index.ts'
import type { StepRows } from './store.ts'

/** A request that a client may repeat. The same key on another `route` is another key. */
export interface RepeatableRequest<T> {
  projectId: string
  route: string
  key: string
  body: unknown
  /** The traces to write, in steps. */
  steps: readonly (readonly NewTrace[])[]
  /** The response body, which contains the ids of the traces. */
  answer: T
  /** The traces of an interrupted request that are still missing, in steps. `answer` is the stored response of it. */
  missingSteps: (answer: T, createdMs: number) => Promise<NewTrace[][]>
  /** Writes the steps, with additional rows. */
  write: (steps: readonly (readonly NewTrace[])[], rows: KeyRows) => Promise<'written' | 'taken'>
}

/** Additional rows for the first and for the last step. */
export interface KeyRows {
  first?: StepRows
  last?: StepRows
}

/** Maximum attempts while another process writes the same request. */
const maxAttempts = 20

function checkKey(key: string): void {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return
  throw new CairnError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters')
}

/** Returns the first response again for a repeated request with the same Idempotency-Key and body. */
export class IdempotentWrites {
  readonly #store: IdempotencyStore
  readonly #lock = new KeyedLock()

  constructor(store: IdempotencyStore) {
    this.#store = store
  }

  /**
   * Writes the traces and returns the response, or returns the first response of an earlier request. The key is written with
   * the first step, so only one of two concurrent requests writes. Missing traces of an interrupted request are added.
   *
   * @throws `conflict` if the key was used with another body
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
    for (let attempt = 1; ; attempt++) {
      const row = await this.#findKey()
      if (row?.complete) return JSON.parse(row.response) as T
      const answer = await (row ? this.#complete(row) : this.#begin())
      if (answer !== 'taken') return answer
      // Another process has written the key or a trace meanwhile; the next attempt reads it.
      if (attempt === maxAttempts)
        throw new Error('concurrent requests with the same Idempotency-Key conflict')
    }
  }

  async #findKey(): Promise<IdempotencyRow | undefined> {
    const { projectId } = this.#request
    const row = await this.#store.find(projectId, this.#keyHash)
    if (!row) return undefined
    const oldest = Date.now() - limits.idempotencyMs
    if (row.created_at < oldest) {
      await this.#store.deleteOlder(projectId, oldest)
      return undefined
    }
    if (row.request_hash === this.#requestHash) return row
    throw new CairnError('conflict', 'this Idempotency-Key was used with another body; use a new key')
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
