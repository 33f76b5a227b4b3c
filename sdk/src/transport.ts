import { type CairnApiError, toApiError } from './errors.ts'
import type { Page } from './pages.ts'

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8000`, optionally with a path. */
  baseUrl: string
  /** A key of a project or of a chat (`tk_…`). */
  apiKey?: string | undefined
  /** For `console`, `graph` and `internal`. Never use it in a browser. */
  adminToken?: string | undefined
  /** For a page of the server itself, after `console.session.signIn`: the browser sends its cookie as the credential. */
  session?: boolean | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** How to repeat requests after 429 and 503. The server has not processed these requests. */
  retry?: RetryOptions | false | undefined
}

export interface RetryOptions {
  /** Tries after the first one; default 2. */
  retries?: number
  /** If Retry-After is longer, the error is thrown at once. Default 30. */
  maxWaitSeconds?: number
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface RepeatableOptions extends CallOptions {
  /** Within 24 hours, a request with the same key and content is processed once and gets the first response again. */
  idempotencyKey?: string | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Credential = 'key' | 'admin' | 'admin-or-key' | 'user' | 'none'

/** The credential of an end user of an application. */
export interface UserCredential {
  appId: string
  /** The ID token of the identity provider. A function is called for each request, because tokens expire. */
  idToken: string | (() => string)
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

/** Sends calls with one kind of credential. Every status other than 2xx becomes a CairnApiError. */
export class Transport {
  readonly #options: ClientOptions & Partial<UserCredential>
  readonly #credential: Credential

  constructor(options: ClientOptions & Partial<UserCredential>, credential: Credential) {
    this.#options = options
    this.#credential = credential
  }

  async json<T>(method: Method, path: string, content?: CallContent): Promise<T> {
    const response = await this.send(method, path, content)
    return (await response.json()) as T
  }

  /** One page of a list, with the cursor of the next page. */
  async page<T>(path: string, content?: CallContent): Promise<Page & { page: T }> {
    const response = await this.send('GET', path, content)
    const page = (await response.json()) as T
    return { page, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
  }

  async send(method: Method, path: string, content: CallContent = {}): Promise<Response> {
    const retry = this.#options.retry === false ? { retries: 0 } : (this.#options.retry ?? {})
    const { retries = 2, maxWaitSeconds = 30 } = retry
    for (let attempt = 0; ; attempt++) {
      const response = await this.#fetch(method, path, content)
      if (response.ok) return response
      const error = await toApiError(response)
      const seconds = retryDelay(error, attempt)
      if (seconds === undefined || attempt >= retries || seconds > maxWaitSeconds) throw error
      await wait(seconds, content.signal)
    }
  }

  #fetch(
    method: Method,
    path: string,
    { query, body, signal, idempotencyKey }: CallContent,
  ): Promise<Response> {
    const { baseUrl, fetch = globalThis.fetch } = this.#options
    const asIs = body === undefined || body instanceof FormData
    return fetch(baseUrl.replace(/\/+$/, '') + path + queryString(query), {
      method,
      headers: {
        ...this.#credentialHeader(),
        ...(!asIs && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: asIs ? (body ?? null) : JSON.stringify(body),
      signal: signal ?? null,
    })
  }

  #credentialHeader(): Record<string, string> {
    const { apiKey, adminToken, session, idToken, appId = '' } = this.#options
    const kind = this.#credential
    if (kind === 'none') return {}
    if (kind === 'user') {
      const token = typeof idToken === 'function' ? idToken() : idToken
      return { authorization: `Bearer ${token}`, 'x-app-id': appId }
    }
    if (session) return {}
    if (kind !== 'key' && adminToken) return { 'x-admin-token': adminToken }
    if (kind !== 'admin' && apiKey) return { authorization: `Bearer ${apiKey}` }
    throw new Error(`this call needs the client's ${kind === 'key' ? 'apiKey' : 'adminToken'}`)
  }
}

/** Seconds until the next try; undefined if another try would not help. */
function retryDelay({ status, retryAfter }: CairnApiError, attempt: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return retryAfter ?? 2 ** attempt
}

function queryString(query: object = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one != null) given.append(name, String(one))
  }
  return given.size > 0 ? `?${given}` : ''
}
