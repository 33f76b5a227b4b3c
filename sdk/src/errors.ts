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

  constructor(
    status: number,
    message: string,
    details: { retryAfter?: number | undefined; body?: unknown } = {},
  ) {
    super(message)
    this.status = status
    this.retryAfter = details.retryAfter
    this.body = details.body
  }
}

/** The message of an error body: `{"error":{"code","message"}}` in the project API, `{"detail"}` elsewhere. */
function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { detail, error } = body as { detail?: unknown; error?: { message?: unknown } | null }
  const message = error?.message ?? detail
  return typeof message === 'string' ? message : undefined
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
  // The body is not from Cairn, for example HTML of a proxy, so only the status is known.
  const message = messageOf(body) ?? `the server answered with status ${response.status}`
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'))
  return new CairnApiError(response.status, message, { retryAfter, body })
}
