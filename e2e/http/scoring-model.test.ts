import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { allPages } from '../support/known-traces.ts'
import { type ProviderCall, type Script, StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { ruleAfter, scoresOf, scoreTraces } from '../support/scoring.ts'
import { type Server, startServer } from '../support/server.ts'

const callCost = (1200 * 0.15 + 34 * 0.6) / 1e6

describe.each(oneDatabase)('scoring of stored traces by a model, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    stub = await StubProvider.start()
    server = await startServer({
      env: { ...(await env()), ...stub.env('openai'), CAIRN_JUDGE_CONCURRENCY: '3' },
    })
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
    stub.calls.length = 0
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50|secret-key/)
  })

  const verdict = (score: number): Script => ({ pieces: [JSON.stringify({ score, reasoning: 'because' })] })
  /** The output in the prompt of a call. */
  const outputOf = ({ body }: ProviderCall): string =>
    /<output>\n(.*)\n<\/output>/s.exec(body.messages.at(-1).content)?.[1] ?? ''
  const record = async (outputs: string[]): Promise<string[]> => {
    const traces = outputs.map((output) => ({ input: 'i', output }))
    const { body } = await tenant.project.ok('POST', `${base}/traces/batch`, { traces })
    return body.results.map(({ trace_id }: { trace_id: string }) => trace_id)
  }

  it('stores score, reasoning, model and cost, and uses the allowed number of concurrent calls', async () => {
    let inside = 0
    let most = 0
    stub.script = () => {
      inside += 1
      most = Math.max(most, inside)
      setTimeout(() => (inside -= 1), 20)
      return { ...verdict(0.25), pauseMs: 20 }
    }
    const ids = await record(Array.from({ length: 50 }, (_, i) => `output ${i}`))
    const done = await scoreTraces(tenant, 'helpfulness')
    expect(done).toMatchObject({ state: 'completed', total: 50, done: 50, mean_score: 0.25 })
    expect(done.cost).toBeCloseTo(50 * callCost, 9)
    expect(stub.calls).toHaveLength(50)
    expect(new Set(stub.calls.map(outputOf)).size).toBe(50)
    expect(most).toBe(3)
    const scores = await scoresOf(tenant)
    expect(new Set(scores.map(({ trace_id }) => trace_id))).toEqual(new Set(ids))
    for (const score of scores) {
      expect(score).toMatchObject({
        value: 0.25,
        comment: 'because',
        method: 'model',
        model: 'gpt-4o-mini',
        source: 'batch',
      })
      expect(score.cost).toBeCloseTo(callCost, 12)
    }
    expect((await tenant.project.ok('GET', `${base}/analytics/metrics`)).body.total_queries).toBe(50)
  })

  it('continues for one project while batches of another wait for a model that does not respond', async () => {
    stub.script = (call) =>
      outputOf(call).startsWith('stuck') ? { ...verdict(1), pauseMs: 20_000 } : verdict(0.5)
    await record(Array.from({ length: 10 }, (_, n) => `stuck ${n}`))
    const stuck = await Promise.all(
      Array.from({ length: 10 }, () => tenant.project.ok('POST', `${base}/scorers/helpfulness/run`, {})),
    )
    await vi.waitFor(() => expect(stub.calls).toHaveLength(3), { timeout: 10_000 })
    const waiting = tenant
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
    await record(['fine'])
    expect(await scoreTraces(tenant, 'helpfulness')).toMatchObject({
      state: 'completed',
      done: 1,
      mean_score: 0.5,
    })
    for (const { body } of stuck) {
      const path = `/v1/${waiting.projectId}/scorers/runs/${body.scoring_id}`
      expect((await waiting.project.ok('POST', `${path}/cancel`)).body).toMatchObject({ done: 0 })
    }
  })

  it('retries calls that the provider limits, and lists traces without a score', async () => {
    const tries = new Map<string, number>()
    stub.script = (call) => {
      const output = outputOf(call)
      const count = (tries.get(output) ?? 0) + 1
      tries.set(output, count)
      if (output === 'limited' && count < 5)
        return { refuse: { status: 429, headers: { 'retry-after': '0' } } }
      if (output === 'garbage') return { pieces: ['{"no": "judgement"}'] }
      if (output === 'no JSON') return { pieces: ['I would say 7 of 10.'] }
      if (output === 'out of range') return { pieces: [JSON.stringify({ score: 7, reasoning: 'r' })] }
      if (output === 'refused') return { refuse: { status: 400 } }
      return verdict(1)
    }
    const [limited, garbage, text, range, refused, fine] = await record([
      'limited',
      'garbage',
      'no JSON',
      'out of range',
      'refused',
      'fine',
    ])
    const done = await scoreTraces(tenant, 'relevance')
    expect(done).toMatchObject({
      state: 'completed',
      total: 6,
      done: 2,
      failed: 4,
      skipped: 0,
      mean_score: 1,
    })
    expect((await scoresOf(tenant)).map(({ trace_id }) => trace_id).sort()).toEqual([limited, fine].sort())
    expect(tries.get('limited')).toBe(5)
    expect(tries.get('garbage')).toBe(3)
    expect(done.cost).toBeCloseTo((2 + 3 + 3) * callCost, 9)
    const path = `${base}/scorers/runs/${done.scoring_id}/failures`
    const failures = await allPages(tenant, `${path}?limit=2`)
    const reasons = new Map(failures.map(({ trace_id, reason }) => [trace_id, reason]))
    expect([...reasons.keys()].sort()).toEqual([garbage, text, range, refused].sort())
    expect(reasons.get(garbage)).toContain('a score from 0 to 1')
    expect(reasons.get(range)).toContain('a score from 0 to 1')
    expect(reasons.get(text)).toContain('not JSON')
    expect(reasons.get(refused)).toContain('rejected the request: the provider answered 400')
    expect(tries.get('no JSON')).toBe(3)
    expectRefusal(await tenant.project.get(`${path}?cursor=x`), {
      status: 400,
      project: true,
      names: 'cursor',
    })
    // The next batch scores the traces without a score.
    stub.script = () => verdict(0)
    expect(await scoreTraces(tenant, 'relevance')).toMatchObject({
      total: 6,
      done: 4,
      skipped: 2,
      mean_score: 0,
    })
  }, 60_000)

  it('uses scorers of the project, which may be deleted', async () => {
    const scorer = {
      slug: 'tone',
      prompt: '{{output}} or {{expected_output}}?',
      choices: { good: 0.75, bad: 0 },
    }
    await tenant.project.ok('POST', `${base}/scorers`, scorer)
    stub.script = () => ({ pieces: [JSON.stringify({ choice: 'good', reasoning: 'nice' })] })
    await record(['a'])
    const trace = { input: 'i', output: 'b', metadata: { expected_output: 'c' } }
    await tenant.project.ok('POST', `${base}/traces`, trace)
    const done = await scoreTraces(tenant, 'tone')
    expect(done).toMatchObject({ done: 1, skipped: 1, mean_score: 0.75 })
    expect(done.skipped_reasons.no_expected_output).toBe(1)
    const rule = { name: 'tone', scorer: 'tone' }
    const { rule_id } = (await tenant.project.ok('POST', `${base}/scorers/rules`, rule)).body
    await tenant.project.ok('POST', `${base}/traces`, trace)
    expect(await ruleAfter(tenant, rule_id, 1)).toMatchObject({
      scored: 1,
      mean_score: 0.75,
      last_error: null,
    })
    await tenant.project.ok('DELETE', `${base}/scorers/tone`)
    await tenant.project.ok('POST', `${base}/traces`, trace)
    const failed = await ruleAfter(tenant, rule_id, 2)
    expect(failed).toMatchObject({ scored: 1, failed: 1, last_error: 'scorer: there is no scorer tone' })
    expect(failed.last_error_at).toEqual(expect.any(String))
  })

  it('returns the counts and the cost of a rule', async () => {
    stub.script = (call) => (outputOf(call) === 'garbage' ? { pieces: ['{}'] } : verdict(0.5))
    const rule = { name: 'help', scorer: 'helpfulness', filter: { tag: 'live' } }
    const { rule_id } = (await tenant.project.ok('POST', `${base}/scorers/rules`, rule)).body
    for (const output of ['fine', 'garbage']) {
      await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output, tags: ['live'] })
      await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output })
    }
    const seen = await ruleAfter(tenant, rule_id, 2)
    expect(seen).toMatchObject({ scored: 1, failed: 1, mean_score: 0.5 })
    expect(seen.last_error).toContain('a score from 0 to 1')
    expect(seen.cost).toBeCloseTo(4 * callCost, 9)
    expect(await scoresOf(tenant)).toMatchObject([
      { source: 'rule', source_id: rule_id, model: 'gpt-4o-mini' },
    ])
  })
})
