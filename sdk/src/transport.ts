import { CairnApiError, toApiError } from './errors.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import type { Page } from './pages.ts'

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8000`, optionally with a path. Default: `CAIRN_BASE_URL`. */
  baseUrl?: string | undefined
  /** A key of a project or of a chat (`tk_…`). Default: `CAIRN_API_KEY`. */
  apiKey?: string | undefined
  /** The project of `client.project()`. Default: `CAIRN_PROJECT_ID`. */
  projectId?: string | undefined
  /** For `console`, `graph` and `internal`. Never use it in a browser. */
  adminToken?: string | undefined
  /** For a page of the server itself, after `console.session.signIn`: the browser sends its cookie as the credential. */
  session?: boolean | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  /**
   * How to repeat failed requests. After 429 and 503 every request is repeated, because the server has not processed it.
   * After 408, other 5xx and network errors, only a request that has the same effect twice: GET, PUT, DELETE, and a POST
   * with an idempotency key.
   */
  retry?: RetryOptions | false | undefined
  /** Maximum time of one try; of a stream or an export, until its first byte. Default 120; 0 means no limit. */
  timeoutSeconds?: number | undefined
}

export interface RetryOptions {
  /** Tries after the first one; default 2. */
  retries?: number
  /** If Retry-After is longer, the error is thrown at once. Default 30. */
  maxWaitSeconds?: number
  /** Repeat only after 429 and 503, for example because a person waits for the error. */
  onlyBusy?: boolean
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface RepeatableOptions extends CallOptions {
  /**
   * Within 24 hours, a request with the same key and content is processed once and gets the first response again.
   * Default: a new key for each call, so that its own retries are safe.
   */
  idempotencyKey?: string | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Credential = 'key' | 'admin' | 'admin-or-key' | 'user' | 'none'

/** The credential of an end user of an application. */
export interface UserCredential {
  appId: string
  /** The ID token of the identity provider. A function is called for each try, because tokens expire. */
  idToken: string | (() => string | Promise<string>)
}

export interface CallContent extends RepeatableOptions {
  query?: object | undefined
  /** Sent as JSON, unless it is a FormData. */
  body?: object | undefined
}

/** Puts ids into a path template: path`/v1/${id}/info`. */
export function path(parts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent))
}

/** Resolves after the time has passed, or rejects with the signal's reason. */
function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A variable of the environment, in runtimes that have one. */
export function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

/** Sends calls with one kind of credential. Every status other than 2xx becomes a CairnApiError. */
export class Transport {
  readonly #options: ClientOptions & Partial<UserCredential>
  readonly #credential: Credential

  constructor(options: ClientOptions & Partial<UserCredential>, credential: Credential) {
    this.#options = options
    this.#credential = credential
  }

  json<T>(method: Method, path: string, content?: CallContent): Promise<T> {
    return this.#call(method, path, content, async (response) => (await response.json()) as T)
  }

  /** Like `json`, for a POST that the server processes once per idempotency key. */
  create<T>(path: string, content: CallContent): Promise<T> {
    return this.json('POST', path, {
      ...content,
      idempotencyKey: content.idempotencyKey ?? newIdempotencyKey(),
    })
  }

  /** One page of a list, with the cursor of the next page. */
  page<T>(path: string, content?: CallContent): Promise<Page & { page: T }> {
    return this.#call('GET', path, content, async (response) => {
      const page = (await response.json()) as T
      return { page, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
    })
  }

  /** The items of all pages in order. Each page is fetched after the previous one was read. */
  async *each<T>(path: string, content: CallContent = {}): AsyncGenerator<T> {
    let cursor: { cursor?: string } = {}
    for (;;) {
      const { page, nextCursor } = await this.page<T[]>(path, {
        ...content,
        query: { ...content.query, ...cursor },
      })
      yield* page
      if (nextCursor === undefined) return
      cursor = { cursor: nextCursor }
    }
  }

  /** The response as soon as its first byte arrives. */
  send(method: Method, path: string, content?: CallContent): Promise<Response> {
    return this.#call(method, path, content, async (response) => response)
  }

  async #call<T>(
    method: Method,
    path: string,
    content: CallContent = {},
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const retry = this.#options.retry === false ? { retries: 0 } : (this.#options.retry ?? {})
    const { retries = 2, maxWaitSeconds = 30, onlyBusy = false } = retry
    const isSafe = ['GET', 'PUT', 'DELETE'].includes(method) || content.idempotencyKey !== undefined
    const repeatable = isSafe && !onlyBusy
    const encoded = encode(content.body)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#try(method, path, content, encoded, read)
      } catch (error) {
        const seconds = content.signal?.aborted ? undefined : retryDelay(error, attempt, repeatable)
        if (seconds === undefined || attempt >= retries || seconds > maxWaitSeconds) throw error
        await wait(seconds, content.signal)
      }
    }
  }

  async #try<T>(
    method: Method,
    path: string,
    { query, signal, idempotencyKey }: CallContent,
    body: FormData | string | null,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { fetch = globalThis.fetch, timeoutSeconds = 120 } = this.#options
    const late = new AbortController()
    const timer =
      timeoutSeconds > 0
        ? setTimeout(() => late.abort(new TimeoutError(timeoutSeconds)), timeoutSeconds * 1000)
        : 0
    try {
      const response = await fetch(this.#address() + path + queryString(query), {
        method,
        headers: {
          ...(await this.#credentialHeader()),
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body,
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      })
      if (!response.ok) throw await toApiError(response)
      return await read(response)
    } finally {
      clearTimeout(timer)
    }
  }

  #address(): string {
    const baseUrl = this.#options.baseUrl ?? fromEnvironment('CAIRN_BASE_URL')
    if (baseUrl === undefined) throw new Error('set `baseUrl` of the client, or CAIRN_BASE_URL')
    return baseUrl.replace(/\/+$/, '')
  }

  async #credentialHeader(): Promise<Record<string, string>> {
    const { adminToken, session, idToken, appId = '' } = this.#options
    const kind = this.#credential
    if (kind === 'none') return {}
    if (kind === 'user') {
      const token = typeof idToken === 'function' ? await idToken() : idToken
      return { authorization: `Bearer ${token}`, 'x-app-id': appId }
    }
    if (session) return {}
    if (kind !== 'key' && adminToken) return { 'x-admin-token': adminToken }
    const apiKey = this.#options.apiKey ?? fromEnvironment('CAIRN_API_KEY')
    if (kind !== 'admin' && apiKey) return { authorization: `Bearer ${apiKey}` }
    throw new Error(`this call needs the client's ${kind === 'key' ? 'apiKey' : 'adminToken'}`)
  }
}

function encode(body: object | undefined): FormData | string | null {
  return body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body)
}

/** No response arrived in time. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError'

  constructor(seconds: number) {
    super(`no response within ${seconds} seconds`)
  }
}

/** Seconds until the next try; undefined if another try would not help, or could repeat an effect. */
function retryDelay(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  // Without jitter, many clients would come back in the same moment.
  const backOff = Math.min(8, 2 ** attempt) * (0.75 + Math.random() / 2)
  if (!(error instanceof CairnApiError)) return repeatable && isNetworkError(error) ? backOff : undefined
  const { status, retryAfter } = error
  const unprocessed = status === 429 || status === 503
  if (!unprocessed && !(repeatable && (status === 408 || status >= 500))) return undefined
  return retryAfter ?? backOff
}

/** `fetch` throws a TypeError if it gets no response. */
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof TimeoutError
}

function queryString(query: object = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one != null) given.append(name, String(one))
  }
  return given.size > 0 ? `?${given}` : ''
}
