import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, uploadForm } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import type { StubProvider } from '../support/provider.ts'
import { casesOf, RunTargets } from '../support/run-targets.ts'
import { createSuite, runThrough } from '../support/runs.ts'

describe.each(oneDatabase)('models as targets of test runs, on $database', ({ env }) => {
  let targets: RunTargets
  let provider: StubProvider
  let project: Api
  let projectId: string

  beforeAll(async () => {
    targets = await RunTargets.start(await env())
    ;({ provider, project, projectId } = targets)
  })
  beforeEach(() => targets.reset())
  afterAll(async () => expect(await targets?.stop()).not.toMatch(/"level":50/))

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
      const trace = await targets.traceOf(results[0].trace_id)
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
      expect(await targets.traceOf(results[0].trace_id)).toMatchObject({ status: 'error', model: 'gpt-4o' })
    })

    it.each(['model', 'chat'])(
      'without a response fails the case after the time limit, called as a %s',
      async (type) => {
        provider.script = () => ({ ending: 'hang' })
        const form = uploadForm('pump.md', 'The pump in the greenhouse runs for eleven minutes each morning.')
        if (type === 'chat')
          await targets.tenant.chat.ok('POST', `/v1/${targets.tenant.chatId}/upload_with_scopes`, form)
        const target = type === 'chat' ? { type, chat_id: targets.tenant.chatId } : { type, model: 'gpt-4o' }
        const cases = [{ query: 'How long does the pump in the greenhouse run?', expected_answer: 'x' }]
        const { suiteId } = await createSuite(project, projectId, cases, { target })
        const { run_id, results } = await runThrough(project, projectId, suiteId, { timeout_ms: 500 })
        expect(results).toMatchObject([{ passed: false, error: 'no answer within 500 ms' }])
        expect(await targets.tracesOf(run_id)).toMatchObject([
          { status: 'error', latency_ms: expect.any(Number) },
        ])
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
      const run = await targets.runOf(run_id)
      expect(run.judge_cost).toBeCloseTo(results[0].judge_cost + results[1].judge_cost, 12)
      expect(run.total_cost).toBeCloseTo(results[0].cost + results[1].cost, 12)
      expect(await targets.tracesOf(run_id)).toHaveLength(2)
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
      expect(await targets.runOf(first.run_id)).toMatchObject({
        version_id: a,
        version: '1.0.0',
        target: { type: 'model', model: 'gpt-4o', prompt: 'Be loud.', temperature: 0 },
      })
      expect(await targets.traceOf(first.results[0].trace_id)).toMatchObject({
        version: '1.0.0',
        model: 'gpt-4o',
      })
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
      const ofB = (await project.ok('GET', `${targets.runs}?version_id=${b}`)).body
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
      expect(await targets.runOf(run_id)).toMatchObject({
        version_id,
        target: { type: 'model', model: 'gpt-4o-mini', prompt: 'Be active.' },
      })
    })
  })
})
