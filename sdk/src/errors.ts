/**
 * An answer of the server that is not a success. `message` is the server's own sentence; it names the field
 * that was wrong. Failures to reach the server at all are the TypeError that `fetch` throws.
 */
export class CairnApiError extends Error {
  override readonly name = 'CairnApiError'
  /** The HTTP status. */
  readonly status: number
  /** Seconds to wait before the next try, when the server named them. */
  readonly retryAfter: number | undefined
  /** The parsed body, for what the message does not tell; undefined when it was not JSON. */
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

/** The message of either error body: `{"error":{"code","message"}}` of the project API, `{"detail"}` elsewhere. */
function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { detail, error } = body as { detail?: unknown; error?: { message?: unknown } | null }
  const message = error?.message ?? detail
  return typeof message === 'string' ? message : undefined
}

/** Seconds; the header holds seconds or, from some proxies, a date. */
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

/** Reads the body of a failed response and tells what it says. */
export async function toApiError(response: Response): Promise<CairnApiError> {
  const body = parseJson(await response.text())
  // Not Cairn's own answer, such as the HTML of a proxy: the status is all there is to say.
  const message = messageOf(body) ?? `the server answered with status ${response.status}`
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'))
  return new CairnApiError(response.status, message, { retryAfter, body })
}
