import { type CairnApiError, toApiError } from './errors.ts'
import type { Page } from './pages.ts'

export interface ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:8000`; a path behind it is kept. */
  baseUrl: string
  /** A key of a project or of a chat (`tk_…`). */
  apiKey?: string | undefined
  /** For `console`, `graph` and `internal`; never put it into a browser. */
  adminToken?: string | undefined
  /** For a page that the server itself has sent, after `console.session.signIn`: the browser's cookie is the credential. */
  session?: boolean | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** What to do on 429 and 503, which the server sends for requests that it has not carried out. */
  retry?: RetryOptions | false | undefined
}

export interface RetryOptions {
  /** Tries after the first one; 2 by default. */
  retries?: number
  /** A longer Retry-After is not waited for: the error is thrown at once. 30 by default. */
  maxWaitSeconds?: number
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface RepeatableOptions extends CallOptions {
  /** The same key and content within 24 hours are carried out once and get the first answer again. */
  idempotencyKey?: string | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Credential = 'key' | 'admin' | 'admin-or-key' | 'user' | 'none'

/** Who calls as an end user of an application. */
export interface UserCredential {
  appId: string
  /** The ID token of the identity provider; a function is asked for each call, as tokens expire. */
  idToken: string | (() => string)
}

export interface CallContent extends RepeatableOptions {
  query?: object | undefined
  /** Sent as JSON, unless it is a form. */
  body?: object | undefined
}

/** Puts ids into a path template: path`/v1/${id}/info`. */
export function path(parts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent))
}

/** Resolves after that time, or rejects with the signal's reason. */
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

/** Sends calls with one kind of credential; every status but 2xx becomes a CairnApiError. */
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

  /** What a list answers, with what leads to its next page. */
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

/** Seconds until the next try; undefined when another one would not help. */
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
