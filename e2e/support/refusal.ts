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
}

/** The message of a documented error body. */
function messageOf(answer: Pick<Answer, 'status' | 'body'>): string {
  return answer.body?.error?.message ?? answer.body?.detail ?? answer.body?.message
}

/** The codes of google.rpc.Status. */
const statusCodes: Record<number, number> = { 401: 16, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14 }

function documentedBody(kind: boolean | 'status', status: number, message: string): object {
  if (kind === 'status') return { code: statusCodes[status] ?? 3, message }
  return kind ? { error: { code: status, message } } : { detail: message }
}

type Refused = Pick<Answer, 'status' | 'headers' | 'text' | 'body'>

/**
 * Returns the fault of a refusal, undefined if it has none. A refusal has the expected status and the documented body;
 * its message has a useful length and discloses no internals.
 */
export function refusalFault(answer: Refused, { status, project, names }: Expected): string | undefined {
  if (![status].flat().includes(answer.status)) return `the status is not ${status}`
  const type = answer.headers.get('content-type') ?? ''
  if (!/^application\/json(;|$)/.test(type)) return `the content type is ${type}`
  const message: unknown = messageOf(answer)
  if (typeof message !== 'string') return 'there is no message'
  const kind = answer.body.message === undefined ? answer.body.error !== undefined : 'status'
  if (project !== undefined && kind !== project) return 'the body is of the other kind'
  const documented = documentedBody(kind, answer.status, message)
  if (!isDeepStrictEqual(answer.body, documented)) return 'the body has other fields'
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
