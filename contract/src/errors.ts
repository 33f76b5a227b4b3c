/**
 * The error catalogue: every error that a caller can receive, with its stable code and HTTP status.
 * The API reference is generated from this table, and the tests check responses against it.
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
    meaning: 'The file is empty, malformed or malicious, or contains no text.',
  },
  missing_credentials: { status: 401, meaning: 'The request carries no credential.' },
  invalid_credentials: { status: 401, meaning: 'The credential is unknown, malformed or revoked.' },
  budget_exceeded: {
    status: 402,
    meaning: 'A budget is used up, or answers in progress reserve the rest of it.',
  },
  permission_denied: {
    status: 403,
    meaning: 'The credential does not cover this resource or lacks the permission.',
  },
  api_access_disabled: { status: 403, meaning: 'API access of the chat or application is disabled.' },
  not_found: { status: 404, meaning: 'The path or the resource does not exist.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  processing_timeout: {
    status: 408,
    meaning: 'Processing the file exceeded the time limit and was stopped.',
  },
  conflict: { status: 409, meaning: 'The request conflicts with stored data.' },
  body_too_large: { status: 413, meaning: 'The body or the file exceeds the size limit.' },
  unsupported_media_type: { status: 415, meaning: 'The content type or the file type is not supported.' },
  expectation_failed: {
    status: 417,
    meaning: 'The header Expect has a value other than 100-continue.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests; wait for the seconds in Retry-After.' },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  internal_error: {
    status: 500,
    meaning: 'An unexpected failure. The cause is written to the server log only.',
  },
  embedding_failed: {
    status: 500,
    meaning: 'The embedding model failed, so the file was not stored; try again later.',
  },
  extraction_failed: { status: 500, meaning: 'The text of the file could not be extracted.' },
  model_failed: {
    status: 502,
    meaning: 'The model did not answer.',
  },
  identity_provider_unavailable: {
    status: 503,
    meaning:
      "The application's identity provider does not respond, so the token cannot be checked; try again.",
  },
  overloaded: {
    status: 503,
    meaning:
      'The server has no capacity for the request, or is stopping; the message gives the reason. Wait for the seconds in Retry-After.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCatalogue

interface ErrorOptions {
  retryAfter?: number
  param?: string | undefined
  cause?: unknown
}

/** A failure with a public message. Callers see the message, so it contains no path, SQL, stack or secret. */
export class CairnError extends Error {
  override readonly name = 'CairnError'
  readonly code: ErrorCode
  /** Seconds until the next try, sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The field at fault, such as `spans[0].name`. Without it, see `paramOf` of the server. */
  readonly param: string | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryAfter = options.retryAfter
    this.param = options.param
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}
