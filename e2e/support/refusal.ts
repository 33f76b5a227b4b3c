import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Answer } from './api.ts'

/** Texts that no response may contain: stacks, file names of the source, SQL, paths, credentials. */
const leak =
  /\bat \S+ \(|node_modules|node:internal|\.ts\b|\bselect\b.*\bfrom\b|insert into|sqlite|postgres|constraint|violates|\/(?:work|tmp|root|home)\/|tk_[0-9a-z]+_|admin-token-for/i

export interface Expected {
  status: number | readonly number[]
  /**
   * The expected error body: of the project API, of the other routes, or google.rpc.Status of OpenTelemetry. If undefined, any
   * of them.
   */
  project?: boolean | 'status'
  /** A text that the message must contain. */
  names?: string
  /** The field at fault. The body has it as `param`, or a field above, below or beside it. */
  param?: string
}

/** The statuses of error types; see docs/reference/errors.md. */
const statusesOfTypes: Record<string, number> = {
  invalid_request: 400,
  malformed_json: 400,
  not_published: 400,
  unreadable_file: 400,
  missing_credentials: 401,
  invalid_credentials: 401,
  budget_exceeded: 402,
  permission_denied: 403,
  api_access_disabled: 403,
  not_found: 404,
  request_timeout: 408,
  processing_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  embedding_failed: 500,
  extraction_failed: 500,
  model_failed: 502,
  identity_provider_unavailable: 503,
  overloaded: 503,
}

/** The message of a documented error body. */
function messageOf(answer: Pick<Answer, 'status' | 'body'>): string {
  return answer.body?.error?.message ?? answer.body?.detail ?? answer.body?.message
}

/** The codes of google.rpc.Status. */
const statusCodes: Record<number, number> = { 401: 16, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14 }

interface Details {
  type?: unknown
  param?: unknown
  request_id?: unknown
}

/** The fields that bodies of all kinds have, except google.rpc.Status. */
function detailsOf({ body }: Pick<Answer, 'body'>): Details {
  const { type, param, request_id } = body.error ?? body
  return { type, ...(param !== undefined && { param }), request_id }
}

function documentedBody(kind: boolean | 'status', status: number, message: string, details: Details): object {
  if (kind === 'status') return { code: statusCodes[status] ?? 3, message }
  return kind ? { error: { code: status, message, ...details } } : { detail: message, ...details }
}

/** `spans[0].end` → spans */
function rootOf(field: string): string | undefined {
  return field.split(/[.[]/)[0]
}

/** The fault of the id of the request, and of the type and the field of the error. */
function detailsFault(
  { status, headers }: Refused,
  { type, param, request_id }: Details,
  { param: wanted }: Expected,
) {
  if (request_id !== headers.get('x-request-id')) return 'request_id is not the header X-Request-Id'
  if (statusesOfTypes[String(type)] !== status) return `the type ${type} is not for this status`
  if (param !== undefined && (typeof param !== 'string' || param === ''))
    return 'param is not the name of a field'
  if (wanted !== undefined && rootOf(wanted) !== rootOf(String(param)))
    return `param is ${param}, not ${wanted}`
  return undefined
}

type Refused = Pick<Answer, 'status' | 'headers' | 'text' | 'body'>

/**
 * Returns the fault of a refusal, undefined if it has none. A refusal has the expected status and the documented body;
 * its message has a useful length and discloses no internals.
 */
export function refusalFault(answer: Refused, expected: Expected): string | undefined {
  const { status, project, names } = expected
  if (![status].flat().includes(answer.status)) return `the status is not ${status}`
  const type = answer.headers.get('content-type') ?? ''
  if (!/^application\/json(;|$)/.test(type)) return `the content type is ${type}`
  const message: unknown = messageOf(answer)
  if (typeof message !== 'string') return 'there is no message'
  const kind = answer.body.message === undefined ? answer.body.error !== undefined : 'status'
  if (project !== undefined && kind !== project) return 'the body is of the other kind'
  if (!answer.headers.get('x-request-id')) return 'the header X-Request-Id is missing'
  const details = detailsOf(answer)
  const documented = documentedBody(kind, answer.status, message, details)
  if (!isDeepStrictEqual(answer.body, documented)) return 'the body has other fields'
  const fault = kind === 'status' ? undefined : detailsFault(answer, details, expected)
  if (fault !== undefined) return fault
  if (message.length <= 5 || message.length >= 500) return `the message has ${message.length} characters`
  if (leak.test(message)) return `the message shows ${leak.exec(message)?.[0]}`
  if (names !== undefined && !message.includes(names)) return `the message does not name ${names}`
  return undefined
}

/** Expects a documented refusal. One assertion keeps this cheap: the suites check tens of thousands of refusals. */
export function expectRefusal(answer: Refused, expected: Expected, what = ''): void {
  const fault = refusalFault(answer, expected)
  expect(fault, `${what} → ${answer.status} ${answer.text.slice(0, 200)}`).toBeUndefined()
}
