/**
 * The error catalogue: every failure that a caller can meet, with its stable code and HTTP status.
 * The API reference and the tests are checked against this table.
 */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    meaning: 'A parameter is missing, of the wrong type or out of range; the message names it.',
  },
  malformed_json: { status: 400, meaning: 'The request body is not valid JSON.' },
  not_published: { status: 400, meaning: 'The chat has no published settings yet.' },
  unreadable_file: {
    status: 400,
    meaning: 'The file is empty, malformed, malicious, or holds no text that could be extracted.',
  },
  missing_credentials: { status: 401, meaning: 'The request carries no credential.' },
  invalid_credentials: { status: 401, meaning: 'The credential is unknown, malformed or revoked.' },
  budget_exceeded: {
    status: 402,
    meaning: 'A budget is used up, or what is left of it is reserved for answers under way.',
  },
  permission_denied: {
    status: 403,
    meaning: 'The credential does not reach this resource or lacks the permission.',
  },
  api_access_disabled: { status: 403, meaning: 'API access of the chat or application is switched off.' },
  not_found: { status: 404, meaning: 'The path or the resource does not exist.' },
  processing_timeout: {
    status: 408,
    meaning: 'Processing the file took longer than the limit and was stopped.',
  },
  conflict: { status: 409, meaning: 'The request contradicts what is stored.' },
  body_too_large: { status: 413, meaning: 'The body or the file is over the size limit.' },
  unsupported_media_type: { status: 415, meaning: 'The content type or the file type is not supported.' },
  rate_limited: { status: 429, meaning: 'Too many requests; wait for the seconds given in Retry-After.' },
  internal_error: {
    status: 500,
    meaning: 'An unexpected failure; nothing about its cause is told to the caller.',
  },
  embedding_failed: {
    status: 500,
    meaning: 'The embedding model failed, so nothing of the file was stored; try again later.',
  },
  extraction_failed: { status: 500, meaning: 'The text of the file could not be extracted.' },
  model_failed: {
    status: 502,
    meaning: 'The model did not answer: its provider failed, refused, or took too long.',
  },
  identity_provider_unavailable: {
    status: 503,
    meaning:
      "The application's identity provider does not answer, so that the token cannot be checked; try again.",
  },
  overloaded: {
    status: 503,
    meaning:
      'The server has no room for the request now, or is stopping; the message says why. Retry after Retry-After seconds.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** A failure with a public message. The message goes to the caller: no path, SQL, stack or secret in it. */
export class CairnError extends Error {
  override readonly name = 'CairnError'
  readonly code: ErrorCode
  /** Seconds to wait before the next try; sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}
