import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Tenant } from './api.ts'
import { allPages } from './known-traces.ts'

/** The sampling of the guide: the first 12 hexadecimal digits of SHA-256 of the id, as a fraction. */
export function isSampled(id: string, rate: number): boolean {
  const digits = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return Number.parseInt(digits, 16) / 16 ** 12 < rate
}

/** Repeats a request until its result meets a condition; fails after a while with the last result. */
export async function until<T>(
  read: () => Promise<T>,
  wanted: (value: T) => boolean,
  seconds = 40,
): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (let wait = 10; ; wait = Math.min(100, wait * 1.5)) {
    const value = await read()
    if (wanted(value)) return value
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value).slice(0, 1000)}`)
    await pause(wait)
  }
}

/** Waits for the end of a batch. */
export function ended(
  { project, projectId }: Tenant,
  scoringId: string,
  seconds?: number,
): Promise<Answer['body']> {
  const read = async () =>
    (await project.ok('GET', `/v1/${projectId}/scorers/runs/${scoringId}`)).body as Answer['body']
  return until(read, ({ state }) => state !== 'running', seconds)
}

/** Starts a batch, and waits for its end. */
export async function scoreTraces(tenant: Tenant, slug: string, body: object = {}): Promise<Answer['body']> {
  const path = `/v1/${tenant.projectId}/scorers/${slug}/run`
  const started = await tenant.project.call('POST', path, { body })
  if (started.status !== 201) throw new Error(started.text)
  return ended(tenant, started.body.scoring_id)
}

/** Waits until a rule has processed a number of traces. */
export function ruleAfter(
  { project, projectId }: Tenant,
  ruleId: string,
  traces: number,
): Promise<Answer['body']> {
  const read = async () =>
    (await project.ok('GET', `/v1/${projectId}/scorers/rules/${ruleId}`)).body as Answer['body']
  return until(read, ({ scored, failed, skipped }) => scored + failed + skipped >= traces)
}

/** All scores of a project that match the query, newest first. */
export function scoresOf(tenant: Tenant, query = ''): Promise<Answer['body'][]> {
  return allPages(tenant, `/v1/${tenant.projectId}/scores?limit=700&${query}`)
}
