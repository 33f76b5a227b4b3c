import { expect } from 'vitest'
import { type Answer, createTenant, type Tenant } from './api.ts'
import type { KnownTrace, SentScore, SentTrace } from './trace-model.ts'

/** Expects equal values, except for rounding errors of another order of additions. */
export function expectClose(actual: Record<string, number>, expected: Record<string, number>, what: string) {
  for (const [name, value] of Object.entries(expected)) {
    const tolerance = 1e-9 * Math.max(1e-6, Math.abs(value))
    const off = Math.abs((actual[name] as number) - value)
    expect(off <= tolerance, `${what}: ${name} is ${actual[name]}, not ${value}`).toBe(true)
  }
}

/** Writes traces into a project in one batch, and their scores. */
export async function store(
  { project, projectId }: Tenant,
  traces: readonly SentTrace[],
  scoresOf: (index: number) => SentScore[] = () => [],
): Promise<KnownTrace[]> {
  const known: KnownTrace[] = []
  for (let from = 0; from < traces.length; from += 1000) {
    const part = traces.slice(from, from + 1000)
    const { body } = await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: part })
    expect(body).toMatchObject({ created: part.length, failed: 0 })
    for (const [index, sent] of part.entries()) {
      known.push({ id: body.results[index].trace_id, sent, scores: scoresOf(from + index) })
    }
  }
  const scored = known.flatMap(({ id, scores }) => scores.map((score) => ({ id, score })))
  await Promise.all(
    scored.map(({ id, score }) => project.ok('POST', `/v1/${projectId}/traces/${id}/scores`, score)),
  )
  return known
}

/** A new project with these traces. */
export async function projectWith(url: string, traces: readonly SentTrace[]) {
  const tenant = await createTenant(url, ['ingest', 'read', 'write', 'admin'])
  return { tenant, known: await store(tenant, traces) }
}

/** All pages of a list, by the cursor. */
export async function allPages(
  { project }: Tenant,
  path: string,
  between = async (_page: Answer) => {},
): Promise<Answer['body'][]> {
  const rows: Answer['body'][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`
    const page = await project.ok('GET', next)
    rows.push(...page.body)
    expect(rows.length).toBeLessThan(20_000)
    cursor = page.headers.get('x-next-cursor')
    await between(page)
  }
  return rows
}
