import { expect } from 'vitest'
import type { Answer } from './api.ts'

/** What must never reach a caller: stacks, file names of the source, SQL, paths, credentials. */
const leak =
  /\bat \S+ \(|node_modules|node:internal|\.ts\b|\bselect\b.*\bfrom\b|insert into|sqlite|postgres|constraint|violates|\/(?:work|tmp|root|home)\/|tk_[0-9a-z]+_|admin-token-for/i

export interface Expected {
  status: number | readonly number[]
  /** Which of the two documented bodies; either when left out. */
  project?: boolean
  /** What the message must contain. */
  names?: string
}

/** The message of a documented error body. */
function messageOf(answer: Pick<Answer, 'status' | 'body'>): string {
  return answer.body?.error?.message ?? answer.body?.detail
}

/** The answer is the documented refusal, and says nothing that a caller should not know. */
export function expectRefusal(
  answer: Pick<Answer, 'status' | 'headers' | 'text' | 'body'>,
  expected: Expected,
  what = '',
): void {
  const label = `${what} → ${answer.status} ${answer.text.slice(0, 200)}`
  expect([expected.status].flat(), label).toContain(answer.status)
  expect(answer.headers.get('content-type'), label).toMatch(/^application\/json(;|$)/)
  const message = messageOf(answer)
  expect(message, label).toEqual(expect.any(String))
  const projectBody = { error: { code: answer.status, message } }
  const isProject = answer.body.error !== undefined
  if (expected.project !== undefined) expect(isProject, label).toBe(expected.project)
  expect(answer.body, label).toEqual(isProject ? projectBody : { detail: message })
  expect(message.length, label).toBeGreaterThan(5)
  expect(message.length, label).toBeLessThan(500)
  expect(message, label).not.toMatch(leak)
  if (expected.names !== undefined) expect(message, label).toContain(expected.names)
}
