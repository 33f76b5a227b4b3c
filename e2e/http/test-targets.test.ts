import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { Endpoint } from '../support/endpoint.ts'
import { StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { createSuite, type NewCase, runEnd, runThrough, startRun } from '../support/runs.ts'
import { type Server, startServer } from '../support/server.ts'

const casesOf = (count: number, others: Partial<NewCase> = {}): NewCase[] =>
  Array.from({ length: count }, (_, n) => ({ query: `question ${n}`, expected_answer: 'x', ...others }))
const passing = { assertions: [{ type: 'contains', value: 'question' }] }

describe.each(oneDatabase)('targets of test runs, on $database', ({ env }) => {
  let server: Server
  let endpoint: Endpoint
  let provider: StubProvider
  let tenant: Tenant
  let project: Api
  let projectId: string
  let runs: string
  let http: { target: object }

  beforeAll(async () => {
    endpoint = await Endpoint.start()
    provider = await StubProvider.start()
    server = await startServer({
      env: {
        ...(await env()),
        ...provider.env('openai'),
        CAIRN_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
        CAIRN_ALLOW_INSECURE_ISSUERS: 'true',
      },
    })
    tenant = await createTenant(server.url)
    ;({ project, projectId } = tenant)
    runs = `/v1/${projectId}/testing/runs`
    http = { target: { type: 'http', url: endpoint.url } }
  })
  beforeEach(() => {
    endpoint.calls.length = 0
    provider.calls.length = 0
    endpoint.answer = ({ body }) => ({ body: { output: `You said: ${body.query}` } })
    provider.script = () => ({ pieces: ['Yes.'] })
  })
  afterAll(async () => {
    await server?.stop()
    endpoint?.stop()
    provider?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const traceOf = async (traceId: string) =>
    (await project.ok('GET', `/v1/${projectId}/analytics/traces/${traceId}`)).body
  const runOf = async (runId: string) => (await project.ok('GET', `${runs}/${runId}`)).body
  const tracesOf = async (runId: string) =>
    (await project.ok('GET', `/v1/${projectId}/analytics/traces?limit=1000&attr.run_id=${runId}`)).body

  describe('an endpoint', () => {
    it('gets the query and its headers, which no response contains', async () => {
      const headers = { authorization: 'Bearer words-nobody-reads', 'x-team': 'a' }
      const target = { type: 'http', url: endpoint.url, headers }
      const { suiteId } = await createSuite(project, projectId, casesOf(1, passing), { target })
      const { run_id, results } = await runThrough(project, projectId, suiteId)
      expect(results).toMatchObject([{ passed: true, actual_output: 'You said: question 0', error: null }])
      expect(endpoint.calls).toMatchObject([{ body: { query: 'question 0' }, headers }])
      expect(endpoint.calls[0]?.body).toEqual({ query: 'question 0' })
      const run = await runOf(run_id)
      expect(run.target).toEqual({
        type: 'http',
        url: endpoint.url,
        header_names: ['authorization', 'x-team'],
      })
      const trace = await traceOf(results[0].trace_id)
      expect(trace).toMatchObject({ input: 'question 0', output: 'You said: question 0', tags: ['test-run'] })
      expect(`${JSON.stringify([run, results, trace])}${server.output()}`).not.toContain('words-nobody')
    })

    it.each([
      { sent: { answer: 'an answer' }, output: 'an answer' },
      { sent: { output: 'an output', answer: 'another' }, output: 'an output' },
      { sent: { output: '' }, output: '' },
      { sent: { output: { a: [1] } }, output: '{"a":[1]}' },
      { sent: { data: [{ text: 'deep' }] }, path: 'data.0.text', output: 'deep' },
      { sent: { a: 5 }, path: 'a', output: '5' },
      { sent: 'plain text 😀', output: 'plain text 😀' },
      { sent: { data: 1 }, error: 'output_path' },
      { sent: { data: null }, path: 'data', error: 'output_path' },
      { sent: {}, path: 'constructor.name', error: 'output_path' },
      { sent: 'no json', headers: { 'content-type': 'application/json' }, error: 'JSON' },
      { sent: { output: 'x' }, status: 500, error: 'status 500' },
      { sent: { output: 'x' }, status: 404, error: 'status 404' },
      { sent: '', status: 302, headers: { location: '/' }, error: 'status 302' },
      { sent: 'x'.repeat(1024 * 1024 + 1), error: 'larger' },
    ])('that responds with $sent', async ({ sent, path, output, error, status = 200, headers = {} }) => {
      endpoint.answer = () => ({ status, headers, body: sent })
      const target = { type: 'http', url: endpoint.url, ...(path && { output_path: path }) }
      const assertions = [{ type: 'not_contains', value: 'absent' }]
      const { suiteId } = await createSuite(project, projectId, casesOf(1, { assertions }), { target })
      const { run_id, status: state, results } = await runThrough(project, projectId, suiteId)
      const [result] = results
      expect(state).toBe('completed')
      expect(result.passed).toBe(error === undefined)
      expect(result.actual_output).toBe(output ?? '')
      expect(result.assertions[0].passed).toBe(error === undefined)
      if (error === undefined) expect(result.error).toBeNull()
      else expect(result.error).toContain(error)
      expect(await runOf(run_id)).toMatchObject({ errors: error === undefined ? 0 : 1 })
      const trace = await traceOf(result.trace_id)
      expect(trace).toMatchObject({ status: error === undefined ? 'success' : 'error', error: result.error })
    })

    it('can return cost, model and tokens of its call', async () => {
      const token_usage = { prompt_tokens: 3, completion_tokens: 4 }
      endpoint.answer = () => ({ body: { output: 'x', cost: 0.25, model: 'acme-1', token_usage } })
      const assertions = [
        { type: 'max_cost', value: 0.25 },
        { type: 'max_cost', value: 0.2 },
      ]
      const { suiteId } = await createSuite(project, projectId, casesOf(2, { assertions }), http)
      const { run_id, results } = await runThrough(project, projectId, suiteId)
      expect(results[0]).toMatchObject({ cost: 0.25, assertions: [{ passed: true }, { passed: false }] })
      expect(await traceOf(results[0].trace_id)).toMatchObject({ model: 'acme-1', token_usage, cost: 0.25 })
      expect(await runOf(run_id)).toMatchObject({ total_cost: 0.5 })
    })

    it('that is unreachable fails its cases, not the run', async () => {
      const target = { type: 'http', url: 'http://127.0.0.1:1/' }
      const { suiteId } = await createSuite(project, projectId, casesOf(2), { target })
      const body = await runThrough(project, projectId, suiteId)
      expect(body).toMatchObject({ status: 'completed', passed: 0, failed: 2, total: 2, pass_rate: 0 })
      expect(body.results[0]).toMatchObject({ judgement: null, error: expect.stringContaining('refused') })
    })

    it('that answers only some cases leaves results that can be filtered by outcome', async () => {
      endpoint.answer = ({ body }) =>
        /[25]/.test(body.query) ? { status: 500, body: 'broken' } : { body: { output: body.query } }
      const assertions = [{ type: 'regex', value: '[0134]$' }]
      const cases = casesOf(7, { assertions })
      const { suiteId, caseIds } = await createSuite(project, projectId, cases, http)
      const { run_id } = await runThrough(project, projectId, suiteId)
      const wanted = { passed: [0, 1, 3, 4], failed: [6], error: [2, 5] }
      for (const [outcome, numbers] of Object.entries(wanted)) {
        const read: string[] = []
        const first = `${runs}/${run_id}/results?outcome=${outcome}&limit=2`
        for (let next: string | undefined = first; next; ) {
          const { body, headers } = await project.ok('GET', next)
          expect(body).toMatchObject({ passed: 4, failed: 3, total: 7 })
          read.push(...body.results.map(({ case_id }: { case_id: string }) => case_id))
          next = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
        }
        expect(read).toEqual(numbers.map((number) => caseIds[number]))
      }
      const wrong = await project.get(`${runs}/${run_id}/results?outcome=good`)
      expectRefusal(wrong, { status: 400, project: true, names: 'outcome' })
    })

    it('that is too slow fails its case after the time limit', async () => {
      endpoint.answer = ({ body }) =>
        body.query === 'question 1' ? 'nothing' : { body: { output: 'question' } }
      const { suiteId } = await createSuite(project, projectId, casesOf(3, passing), http)
      const { results } = await runThrough(project, projectId, suiteId, { timeout_ms: 400 })
      expect(results.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false, true])
      expect(results[1].error).toBe('no answer within 400 ms')
      expect(results[1].latency_ms).toBeGreaterThanOrEqual(395)
      await vi.waitFor(() => expect(endpoint.calls.map(({ aborted }) => aborted)).toContain(true))
    })

    it('is called by at most the concurrency of the run', async () => {
      let [now, most] = [0, 0]
      endpoint.answer = async ({ body }) => {
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 20))
        now -= 1
        return { body: { output: body.query } }
      }
      const { suiteId } = await createSuite(project, projectId, casesOf(24, passing), http)
      expect((await runThrough(project, projectId, suiteId, { concurrency: 3 })).passed).toBe(24)
      expect(most).toBe(3)
      expect(endpoint.calls).toHaveLength(24)
    })
  })

  describe('a run in progress', () => {
    /** Answers the first cases; the others wait until they are released. */
    function holdFrom(number: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      endpoint.answer = async ({ body }, count) => {
        if (count >= number) await promise
        return { body: { output: body.query } }
      }
      return resolve
    }

    it('returns the finished results, also in pages and as JUnit XML', async () => {
      const release = holdFrom(4)
      const { suiteId } = await createSuite(project, projectId, casesOf(6, passing), http)
      const runId = await startRun(project, projectId, suiteId, { concurrency: 1 })
      await runEnd(project, projectId, runId, ({ passed }) => passed === 3)
      const so = (await project.ok('GET', `${runs}/${runId}/results`)).body
      expect(so).toMatchObject({
        status: 'running',
        passed: 3,
        failed: 0,
        total: 6,
        pass_rate: 1,
        completed_at: null,
      })
      expect(so.results).toHaveLength(3)
      const page = (await project.ok('GET', `${runs}/${runId}/results?limit=100`)).body
      expect(page).toEqual(so)
      const { text } = await project.ok('GET', `${runs}/${runId}/results?format=junit`)
      expect(text.match(/<testcase /g)).toHaveLength(3)
      release()
      expect(await runEnd(project, projectId, runId)).toMatchObject({ status: 'completed', passed: 6 })
    })

    it('keeps its cases, also if they are changed or deleted', async () => {
      const release = holdFrom(2)
      const { suiteId, caseIds } = await createSuite(project, projectId, casesOf(4, passing), http)
      const runId = await startRun(project, projectId, suiteId, { concurrency: 1 })
      await runEnd(project, projectId, runId, ({ passed }) => passed === 1)
      const cases = `/v1/${projectId}/testing/suites/${suiteId}/cases`
      const changed = {
        query: 'new',
        expected_answer: 'new',
        assertions: [{ type: 'equals', value: 'never' }],
      }
      await project.ok('PATCH', `${cases}/${caseIds[1]}`, changed)
      await project.ok('DELETE', `${cases}/${caseIds[2]}`)
      await project.ok('POST', cases, { query: 'later', expected_answer: 'x' })
      await project.ok('PATCH', `/v1/${projectId}/testing/suites/${suiteId}`, { target: { type: 'builtin' } })
      release()
      const end = await runEnd(project, projectId, runId)
      expect(end).toMatchObject({ status: 'completed', total: 4, passed: 4 })
      const { results } = (await project.ok('GET', `${runs}/${runId}/results`)).body
      expect(results.map(({ query, case_id }: Record<string, string>) => [query, case_id])).toEqual(
        caseIds.map((id, n) => [`question ${n}`, id]),
      )
    })

    it('ends its calls when it is cancelled, and keeps its results', async () => {
      holdFrom(4)
      const { suiteId } = await createSuite(project, projectId, casesOf(20, passing), http)
      const runId = await startRun(project, projectId, suiteId, { concurrency: 2 })
      await runEnd(project, projectId, runId, ({ passed }) => passed === 3)
      await vi.waitFor(() => expect(endpoint.calls).toHaveLength(5))
      const cancelled = (await project.ok('POST', `${runs}/${runId}/cancel`)).body
      expect(cancelled).toMatchObject({ status: 'cancelled', passed: 3, failed: 0, total: 20 })
      expect(cancelled.completed_at).toMatch(/Z$/)
      await vi.waitFor(() => expect(endpoint.calls.filter(({ aborted }) => aborted)).toHaveLength(2))
      const { body } = await project.ok('GET', `${runs}/${runId}/results`)
      expect(body).toMatchObject({ status: 'cancelled', passed: 3, total: 20, pass_rate: 1 })
      expect(body.results).toHaveLength(3)
      expect(await tracesOf(runId)).toHaveLength(3)
      const events = (await project.ok('GET', `/v1/${projectId}/events?type=run_cancelled`)).body
      expect(events).toMatchObject([{ data: { run_id: runId, total: 20, passed: 3, pass_rate: 1 } }])
      await project.ok('POST', `${runs}/${runId}/cancel`)
      expect(endpoint.calls).toHaveLength(5)
      expect((await project.ok('GET', `/v1/${projectId}/events?type=run_cancelled`)).body).toHaveLength(1)
    })

    it.each(['run', 'suite'])('ends its calls when the %s is deleted', async (what) => {
      holdFrom(1)
      const { suiteId } = await createSuite(project, projectId, casesOf(5, passing), http)
      const runId = await startRun(project, projectId, suiteId, { concurrency: 2 })
      await vi.waitFor(() => expect(endpoint.calls).toHaveLength(2))
      await project.ok(
        'DELETE',
        what === 'run' ? `${runs}/${runId}` : `/v1/${projectId}/testing/suites/${suiteId}`,
      )
      await vi.waitFor(() => expect(endpoint.calls.every(({ aborted }) => aborted)).toBe(true))
      expect((await project.get(`${runs}/${runId}`)).status).toBe(404)
      expect(endpoint.calls).toHaveLength(2)
    })
  })

  describe('a model', () => {
    it('is called with the prompt and the settings of the target, and counts as usage', async () => {
      const used = async () => (await project.ok('GET', `/v1/${projectId}/usage`)).body.total
      const before = await used()
      provider.script = () => ({ pieces: ['The sky', ' is up.'], tokens: { prompt: 100, completion: 10 } })
      const target = { type: 'model', model: 'gpt-4o', prompt: 'Be brief.', temperature: 0.5, max_tokens: 50 }
      const assertions = [{ type: 'equals', value: 'The sky is up.' }]
      const { suiteId } = await createSuite(project, projectId, casesOf(1, { assertions }), { target })
      const { results } = await runThrough(project, projectId, suiteId)
      expect(results).toMatchObject([{ passed: true }])
      expect(provider.at('chat/completions').map(({ body }) => body)).toMatchObject([
        {
          model: 'gpt-4o',
          temperature: 0.5,
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'question 0' },
          ],
        },
      ])
      const trace = await traceOf(results[0].trace_id)
      expect(trace).toMatchObject({ model: 'gpt-4o', cost_source: 'computed' })
      expect(trace.token_usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 10 })
      expect(results[0].cost).toBe(trace.cost)
      expect(trace.cost).toBeGreaterThan(0)
      const after = await used()
      expect(after.answers - before.answers).toBe(1)
      expect(after.credits - before.credits).toBeCloseTo((110 / 1000) * 15, 9)
      expect(after.cost - before.cost).toBeCloseTo(trace.cost, 12)
    })

    it('gets the prompt as its message if the prompt contains {{query}}', async () => {
      const prompt = 'Answer $& in one word: {{query}}!'
      const target = { type: 'model', model: 'gpt-4o', prompt }
      const { suiteId } = await createSuite(
        project,
        projectId,
        casesOf(1, { assertions: [{ type: 'equals', value: 'Yes.' }] }),
        { target },
      )
      await runThrough(project, projectId, suiteId)
      const [call] = provider.at('chat/completions')
      expect(call?.body.messages).toEqual([{ role: 'user', content: 'Answer $& in one word: question 0!' }])
    })

    it('that fails, fails the case', async () => {
      provider.script = () => ({
        refuse: { status: 400, body: { error: { message: 'words of a provider' } } },
      })
      const target = { type: 'model', model: 'gpt-4o' }
      const { suiteId } = await createSuite(project, projectId, casesOf(1), { target })
      const { results } = await runThrough(project, projectId, suiteId)
      expect(results).toMatchObject([{ passed: false, actual_output: '', judgement: null }])
      expect(results[0].error).toContain('gpt-4o')
      expect(results[0].error).not.toContain('words of a provider')
      expect(await traceOf(results[0].trace_id)).toMatchObject({ status: 'error', model: 'gpt-4o' })
    })

    it.each(['model', 'chat'])(
      'without a response fails the case after the time limit, called as a %s',
      async (type) => {
        provider.script = () => ({ ending: 'hang' })
        const form = uploadForm('pump.md', 'The pump in the greenhouse runs for eleven minutes each morning.')
        if (type === 'chat') await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
        const target = type === 'chat' ? { type, chat_id: tenant.chatId } : { type, model: 'gpt-4o' }
        const cases = [{ query: 'How long does the pump in the greenhouse run?', expected_answer: 'x' }]
        const { suiteId } = await createSuite(project, projectId, cases, { target })
        const { run_id, results } = await runThrough(project, projectId, suiteId, { timeout_ms: 500 })
        expect(results).toMatchObject([{ passed: false, error: 'no answer within 500 ms' }])
        expect(await tracesOf(run_id)).toMatchObject([{ status: 'error', latency_ms: expect.any(Number) }])
      },
    )

    it('scores, at a cost that is in the result and in no trace', async () => {
      const grade = JSON.stringify({ reasoning: 'so it is', score: 0.75 })
      provider.script = ({ body }) => ({
        pieces: [body.stream ? 'An output.' : grade],
        tokens: { prompt: 10, completion: 10 },
      })
      const target = { type: 'model', model: 'gpt-4o' }
      const cases = [
        { query: 'a', expected_answer: 'x' },
        { query: 'b', expected_answer: 'x', assertions: [{ type: 'min_score', value: 0.8 }] },
      ]
      const { suiteId } = await createSuite(project, projectId, cases, { target })
      const { run_id, results } = await runThrough(project, projectId, suiteId)
      expect(results).toMatchObject([
        { passed: true, judgement: { score: 0.75, reasoning: 'so it is' } },
        { passed: false, assertions: [{ score: 0.75, reasoning: 'so it is', message: expect.any(String) }] },
      ])
      expect(results[0].judge_cost).toBeGreaterThan(0)
      const run = await runOf(run_id)
      expect(run.judge_cost).toBeCloseTo(results[0].judge_cost + results[1].judge_cost, 12)
      expect(run.total_cost).toBeCloseTo(results[0].cost + results[1].cost, 12)
      expect(await tracesOf(run_id)).toHaveLength(2)
    })

    it('passes a case with a score at exactly the threshold, and not below', async () => {
      provider.script = ({ body }) => {
        const isBetter = JSON.stringify(body).includes('enough')
        const grade = JSON.stringify({ reasoning: 'so it is', score: isBetter ? 0.7 : 0.6999999 })
        return { pieces: [body.stream ? 'An output.' : grade] }
      }
      const half = (value: number) => ({ assertions: [{ type: 'min_score', value }] })
      const cases = [
        { query: 'enough', expected_answer: 'x' },
        { query: 'too little', expected_answer: 'x' },
        { query: 'enough', expected_answer: 'x', ...half(0.7) },
        { query: 'too little', expected_answer: 'x', ...half(0.7) },
      ]
      const target = { type: 'model', model: 'gpt-4o' }
      const { suiteId } = await createSuite(project, projectId, cases, { target })
      const { results } = await runThrough(project, projectId, suiteId)
      expect(results.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false, true, false])
      expect(results[0].judgement).toMatchObject({ score: 0.7, threshold: 0.7 })
    })

    it('that cannot score fails its assertions, with the reason', async () => {
      provider.script = ({ body }) =>
        body.stream ? { pieces: ['An output.'] } : { pieces: ['{"no": "score"}'] }
      const target = { type: 'model', model: 'gpt-4o' }
      const cases = [
        { query: 'a', expected_answer: 'x' },
        { query: 'b', expected_answer: 'x', assertions: [{ type: 'min_score', value: 0 }] },
      ]
      const { suiteId } = await createSuite(project, projectId, cases, { target })
      const { status, results } = await runThrough(project, projectId, suiteId)
      expect(status).toBe('completed')
      expect(results[0]).toMatchObject({ passed: false, error: null, judgement: { score: null } })
      expect(results[1].assertions[0].message).toContain('could not be scored')
    })

    it('embeds the texts of similarity assertions', async () => {
      const assertions = [
        { type: 'similar', value: { text: 'Yes.', threshold: 1 } },
        { type: 'similar', value: { text: 'A blue bicycle.', threshold: 1 } },
      ]
      const target = { type: 'model', model: 'gpt-4o' }
      const { suiteId } = await createSuite(project, projectId, casesOf(1, { assertions }), { target })
      const { results } = await runThrough(project, projectId, suiteId)
      expect(results[0].assertions).toMatchObject([{ passed: true, score: 1 }, { passed: false }])
      expect(provider.at('embed')).toHaveLength(2)
    })
  })

  describe('a version', () => {
    it('that a run names is applied and stored in its traces; two versions are compared', async () => {
      provider.script = ({ body }) => ({
        pieces: [body.messages[0].content.includes('loud') ? 'YES' : 'yes'],
      })
      const publish = async (version: string, config: object) =>
        (await project.ok('POST', `/v1/${projectId}/versions`, { version, config })).body.version_id as string
      const a = await publish('1.0.0', { model: 'gpt-4o', prompt: 'Be loud.', temperature: 0 })
      const b = await publish('1.1.0', { model: 'gpt-4o-mini', prompt: 'Be quiet.' })
      const assertions = [{ type: 'equals', value: 'yes' }]
      const suite = { target: { type: 'model' }, name: 'of versions' }
      const { suiteId } = await createSuite(project, projectId, casesOf(2, { assertions }), suite)
      const first = await runThrough(project, projectId, suiteId, { version_id: a })
      await runThrough(project, projectId, suiteId, { version_id: b })
      const last = await runThrough(project, projectId, suiteId, { version_id: b })
      expect(first.passed).toBe(0)
      expect(last.passed).toBe(2)
      expect(await runOf(first.run_id)).toMatchObject({
        version_id: a,
        version: '1.0.0',
        target: { type: 'model', model: 'gpt-4o', prompt: 'Be loud.', temperature: 0 },
      })
      expect(await traceOf(first.results[0].trace_id)).toMatchObject({ version: '1.0.0', model: 'gpt-4o' })
      const { body } = await project.ok('GET', `/v1/${projectId}/versions/compare?a=${a}&b=${b}`)
      expect(body.version_a.total_traces).toBe(2)
      expect(body.suites).toEqual([
        {
          suite_id: suiteId,
          name: 'of versions',
          a: {
            run_id: first.run_id,
            started_at: first.started_at,
            passed: 0,
            failed: 2,
            total: 2,
            pass_rate: 0,
            avg_latency_ms: expect.any(Number),
            total_cost: expect.any(Number),
          },
          b: expect.objectContaining({ run_id: last.run_id, pass_rate: 1 }),
        },
      ])
      const ofB = (await project.ok('GET', `${runs}?version_id=${b}`)).body
      expect(ofB.map(({ run_id }: { run_id: string }) => run_id)).toContain(last.run_id)
      expect(ofB).toHaveLength(2)
    })

    it('that is active completes the settings of the target', async () => {
      const config = { model: 'gpt-4o', prompt: 'Be active.' }
      const { version_id } = (
        await project.ok('POST', `/v1/${projectId}/versions`, { version: '2.0.0', config })
      ).body
      const { suiteId } = await createSuite(project, projectId, casesOf(1), {
        target: { type: 'model', model: 'gpt-4o-mini' },
      })
      const { run_id } = await runThrough(project, projectId, suiteId)
      expect(await runOf(run_id)).toMatchObject({
        version_id,
        target: { type: 'model', model: 'gpt-4o-mini', prompt: 'Be active.' },
      })
    })

    it('is sent to an endpoint with the query', async () => {
      const { version_id } = (await project.ok('POST', `/v1/${projectId}/versions`, { version: '3.0.0' }))
        .body
      const { suiteId } = await createSuite(project, projectId, casesOf(1, passing), http)
      const { results } = await runThrough(project, projectId, suiteId, { version_id })
      expect(endpoint.calls[0]?.body).toEqual({ query: 'question 0', version: '3.0.0' })
      expect(await traceOf(results[0].trace_id)).toMatchObject({ version: '3.0.0' })
    })
  })
})

describe('without the setting for development', () => {
  it('a host name of this machine is not called', async () => {
    const server = await startServer()
    try {
      const { project, projectId } = await createTenant(server.url)
      const target = { type: 'http', url: 'https://localtest.invalid/' }
      const { suiteId } = await createSuite(project, projectId, casesOf(1), { target })
      const { results } = await runThrough(project, projectId, suiteId)
      expect(results[0].error).toContain('not found')
    } finally {
      await server.stop()
    }
  })
})
