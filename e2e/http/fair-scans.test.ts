import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { sampleText } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'

const searchesAtOnce = 16

describe.each(databases)('filters without an index, on $database', ({ env }) => {
  let server: Server
  let busy: Tenant
  let other: Tenant

  beforeAll(async () => {
    const settings = { CAIRN_MAX_WAITING_SCANS: String(searchesAtOnce), CAIRN_SCAN_SECONDS: '3' }
    server = await startServer({ env: { ...(await env()), ...settings } })
    busy = await createTenant(server.url)
    other = await createTenant(server.url)
    const output = 'an answer of some length. '.repeat(300)
    for (let batch = 0; batch < 2; batch++) {
      const traces = Array.from({ length: 300 }, (_, index) => ({ input: `trace ${index}`, output }))
      await busy.project.ok('POST', `/v1/${busy.projectId}/traces/batch`, { traces })
    }
    await other.project.ok('POST', `/v1/${other.projectId}/traces`, { input: 'needle', output: 'b' })
    const form = uploadForm('guide.md', sampleText(1))
    await other.chat.ok('POST', `/v1/${other.chatId}/upload_with_scopes`, form)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  function search({ projectId, project }: Tenant, text: string): Promise<Answer> {
    return project.get(`/v1/${projectId}/analytics/traces?q=${text}`)
  }

  it('of one project do not block traces, lists, summaries, questions and searches of other projects', async () => {
    let running = searchesAtOnce
    const searches = Array.from({ length: searchesAtOnce }, async (_, index) => {
      const answer = await search(busy, `nothing${index}`)
      running -= 1
      return answer
    })
    const path = `/v1/${other.projectId}`
    for (let round = 0; round < 3; round++) {
      await other.project.ok('POST', `${path}/traces`, { input: 'a', output: 'b' })
      await other.project.ok('GET', `${path}/analytics/traces`)
      await other.project.ok('GET', `${path}/analytics/metrics`)
      await other.project.ok('GET', `${path}/analytics/sessions`)
      expect((await search(other, 'needle')).body).toHaveLength(1)
      await other.chat.ok('POST', `/v1/${other.chatId}/answer_question`, { question: 'What is a ledger?' })
    }
    expect(running).toBeGreaterThan(searchesAtOnce / 2)
    // Waiting for other scans does not count for the time limit of a scan.
    for (const { status, body } of await Promise.all(searches)) expect([status, body]).toEqual([200, []])
  })

  it('are rejected with 429 if many of the project wait, but not for other projects', async () => {
    const searches = Array.from({ length: 2.5 * searchesAtOnce }, (_, index) => search(busy, `none${index}`))
    expect((await search(other, 'needle')).body).toHaveLength(1)
    const answers = await Promise.all(searches)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(answers.length - refused.length)
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(body.error.message).toContain('CAIRN_MAX_WAITING_SCANS')
    }
  })

  it('return correct lists, summaries, percentiles, scores and sessions', async () => {
    const { project, projectId } = await createTenant(server.url)
    const path = `/v1/${projectId}`
    const traces = Array.from({ length: 900 }, (_, index) => ({
      input: index % 3 === 0 ? 'A Needle' : 'hay',
      output: 'x',
      latency_ms: index,
      session_id: `session ${index % 7}`,
      user_id: 'someone',
      // Very many traces of one millisecond, so that slices end within it.
      created_at: new Date(Date.now() - (index < 700 ? 60_000 : 120_000)).toISOString(),
    }))
    const { body } = await project.ok('POST', `${path}/traces/batch`, { traces })
    for (const index of [0, 1, 2, 3]) {
      const score = { name: 'tone', value: index / 10 }
      await project.ok('POST', `${path}/traces/${body.results[index].trace_id}/scores`, score)
    }
    const found: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = await project.ok(
        'GET',
        `${path}/analytics/traces?q=needle&user_id=someone&limit=70${cursor}`,
      )
      found.push(...page.body.map(({ trace_id }: { trace_id: string }) => trace_id))
      const next = page.headers.get('x-next-cursor')
      if (!next) break
      cursor = `&cursor=${next}`
    }
    const expected = body.results.filter((_: unknown, index: number) => index % 3 === 0)
    expect(new Set(found)).toEqual(new Set(expected.map(({ trace_id }: { trace_id: string }) => trace_id)))
    expect(found).toHaveLength(300)

    const figures = await project.ok('GET', `${path}/analytics/performance?q=needle`)
    expect(figures.body).toMatchObject({ total_traces: 300, p50_latency_ms: 448.5, p99_latency_ms: 888.03 })
    const scores = await project.ok('GET', `${path}/scores?q=needle&max_value=0.2`)
    expect(scores.body.map(({ value }: { value: number }) => value)).toEqual([0])
    const averages = await project.ok('GET', `${path}/analytics/scores?q=needle`)
    expect(averages.body.scores).toMatchObject([{ name: 'tone', count: 2, min: 0, max: 0.3 }])
    const sessions = await project.ok('GET', `${path}/analytics/sessions?q=needle&limit=3`)
    expect(sessions.body).toHaveLength(3)
    expect(sessions.headers.get('x-next-cursor')).not.toBeNull()
  })
})
