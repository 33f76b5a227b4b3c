import { objectOf } from './object-of.ts'

/**
 * A response of the server with an error status. `message` is the sentence from the server; it names the invalid field.
 * If the server cannot be reached at all, `fetch` throws a TypeError instead.
 */
export class CairnApiError extends Error {
  override readonly name = 'CairnApiError'
  /** The HTTP status. */
  readonly status: number
  /** Seconds to wait before the next try, if the server sent them. */
  readonly retryAfter: number | undefined
  /** The parsed body, for details beyond the message; undefined if it was not JSON. */
  readonly body: unknown
  /** The error's code in the catalogue of the reference, such as `not_found`. */
  readonly type: string | undefined
  /** The field that is at fault, if it is one. */
  readonly param: string | undefined
  /** The id of the request, as in the log of the server. */
  readonly requestId: string | undefined

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.retryAfter = details.retryAfter
    this.body = details.body
    this.type = details.type
    this.param = details.param
    this.requestId = details.requestId
  }
}

interface ErrorDetails {
  retryAfter?: number | undefined
  body?: unknown
  type?: string | undefined
  param?: string | undefined
  requestId?: string | undefined
}

/** Reads an error body: `{"error":{"code","message", …}}` in the project API, `{"detail", …}` elsewhere. */
function fieldsOf(body: unknown): Record<'message' | 'type' | 'param' | 'requestId', string | undefined> {
  const outer = objectOf(body)
  const inner = objectOf(outer.error)
  const text = (name: string) =>
    [inner[name], outer[name]].find((value): value is string => typeof value === 'string')
  return {
    message: text('message') ?? (typeof outer.detail === 'string' ? outer.detail : undefined),
    type: text('type'),
    param: text('param'),
    requestId: text('request_id'),
  }
}

/** Seconds to wait. The header contains seconds or, from some proxies, a date. */
function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Converts a failed response to an error. */
export async function toApiError(response: Response): Promise<CairnApiError> {
  const body = parseJson(await response.text())
  const { message, type, param, requestId } = fieldsOf(body)
  // A body without a message is not from Cairn, for example HTML of a proxy, so only the status is known.
  return new CairnApiError(response.status, message ?? `the server answered with status ${response.status}`, {
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    body,
    type,
    param,
    requestId: response.headers.get('x-request-id') ?? requestId,
  })
}
