import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { expectRefusal } from '../support/refusal.ts'
import { casesOf, RunTargets } from '../support/run-targets.ts'
import { createSuite, runEnd, runThrough, startRun } from '../support/runs.ts'

const passing = { assertions: [{ type: 'contains', value: 'question' }] }

describe.each(oneDatabase)('endpoints as targets of test runs, on $database', ({ env }) => {
  let targets: RunTargets
  let endpoint: Endpoint
  let project: Api
  let projectId: string
  let runs: string
  let http: { target: object }

  beforeAll(async () => {
    targets = await RunTargets.start(await env())
    ;({ endpoint, project, projectId, runs } = targets)
    http = { target: { type: 'http', url: endpoint.url } }
  })
  beforeEach(() => targets.reset())
  afterAll(async () => expect(await targets?.stop()).not.toMatch(/"level":50/))

  describe('an endpoint', () => {
    it('gets the query and its headers, which no response contains', async () => {
      const headers = { authorization: 'Bearer words-nobody-reads', 'x-team': 'a' }
      const target = { type: 'http', url: endpoint.url, headers }
      const { suiteId } = await createSuite(project, projectId, casesOf(1, passing), { target })
      const { run_id, results } = await runThrough(project, projectId, suiteId)
      expect(results).toMatchObject([{ passed: true, actual_output: 'You said: question 0', error: null }])
      expect(endpoint.calls).toMatchObject([{ body: { query: 'question 0' }, headers }])
      expect(endpoint.calls[0]?.body).toEqual({ query: 'question 0' })
      const run = await targets.runOf(run_id)
      expect(run.target).toEqual({
        type: 'http',
        url: endpoint.url,
        header_names: ['authorization', 'x-team'],
      })
      const trace = await targets.traceOf(results[0].trace_id)
      expect(trace).toMatchObject({ input: 'question 0', output: 'You said: question 0', tags: ['test-run'] })
      expect(`${JSON.stringify([run, results, trace])}${targets.server.output()}`).not.toContain(
        'words-nobody',
      )
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
      expect(await targets.runOf(run_id)).toMatchObject({ errors: error === undefined ? 0 : 1 })
      const trace = await targets.traceOf(result.trace_id)
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
      expect(await targets.traceOf(results[0].trace_id)).toMatchObject({
        model: 'acme-1',
        token_usage,
        cost: 0.25,
      })
      expect(await targets.runOf(run_id)).toMatchObject({ total_cost: 0.5 })
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

    it('gets the version of the run with the query', async () => {
      const { version_id } = (await project.ok('POST', `/v1/${projectId}/versions`, { version: '3.0.0' }))
        .body
      const { suiteId } = await createSuite(project, projectId, casesOf(1, passing), http)
      const { results } = await runThrough(project, projectId, suiteId, { version_id })
      expect(endpoint.calls[0]?.body).toEqual({ query: 'question 0', version: '3.0.0' })
      expect(await targets.traceOf(results[0].trace_id)).toMatchObject({ version: '3.0.0' })
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
      expect(await targets.tracesOf(runId)).toHaveLength(3)
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
})
