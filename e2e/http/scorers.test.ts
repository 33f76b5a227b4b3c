import { beforeEach, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

describe.each(sharedServers)('scorers without a model, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeEach(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
  })

  const scoreOutput = (body: object) => tenant.project.post(`${base}/score-with-judge`, body)
  const record = async (trace: object) =>
    (await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output: 'o', ...trace })).body.trace_id

  const verdicts: [string, object, number, string][] = [
    ['exact-match', { output: ' 42\n', expected_output: '42' }, 1, '42'],
    ['exact-match', { output: '42.', expected_output: '42' }, 0, '42.'],
    ['contains', { output: 'It is PARIS.', expected_output: 'paris' }, 1, 'contains'],
    ['contains', { output: 'It is Lyon.', expected_output: 'Paris' }, 0, 'does not contain'],
    ['levenshtein', { output: 'kitten', expected_output: 'sitting' }, 0.571, '3 of 7'],
    ['levenshtein', { output: '', expected_output: '' }, 1, '0 of 0'],
    [
      'rouge-l',
      { output: 'police kill the gunman', expected_output: 'police killed the gunman' },
      1,
      '4 words',
    ],
    [
      'rouge-l',
      { output: 'the gunman kill police', expected_output: 'police killed the gunman' },
      0.5,
      '2 words',
    ],
    ['semantic-similarity', { output: 'same words', expected_output: 'same words' }, 1, 'similarity'],
    ['semantic-similarity', { output: 'quick brown fox', expected_output: '東京タワー' }, 0, 'similarity'],
    ['json-valid', { output: '{"a": [1, 2]}' }, 1, 'object'],
    ['json-valid', { output: '{"a": 1' }, 0, 'not JSON'],
    ['correctness', { output: 'It costs $50.', expected_output: 'It costs $15.' }, 0, '$15'],
    [
      'faithfulness',
      { input: 'The shop is open on Monday.', output: 'The shop is open on Monday.' },
      1,
      '1 of 1',
    ],
    ['faithfulness', { input: 'The shop is open on Monday.', output: 'It sells 40 bicycles.' }, 0, '0 of 1'],
    [
      'relevance',
      { input: 'What causes the tides of the sea?', output: 'The moon causes the tides of the sea.' },
      1,
      '%',
    ],
    ['relevance', { input: 'What causes tides?', output: 'I do not know.' }, 0.1, 'no answer'],
    ['helpfulness', { input: 'What causes tides?', output: 'I cannot help with that.' }, 0.1, 'no answer'],
    ['conciseness', { output: 'Twelve.' }, 1, '1 words'],
    ['toxicity', { output: 'Thank you for asking.' }, 1, 'no insult'],
    ['toxicity', { output: 'You are an idiot.' }, 0.3, 'idiot'],
  ]

  it.each(verdicts)('%s of %j is %d', async (scorer_slug, fields, score, says) => {
    const answer = await scoreOutput({ scorer_slug, ...fields })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      score: expect.closeTo(score, 2),
      reasoning: expect.stringContaining(says),
      scorer: scorer_slug,
      method: 'local',
      model: null,
    })
  })

  it('use input and output of the trace, and store the score on it, without another trace', async () => {
    const trace_id = await record({ input: 'How many?', output: 'There are twelve.' })
    const path = `${base}/analytics/metrics`
    const before = (await tenant.project.ok('GET', path)).body.total_queries
    const { body } = await scoreOutput({ scorer_slug: 'correctness', trace_id, expected_output: '12' })
    expect(body.score).toBeGreaterThanOrEqual(0.7)
    const given = await scoreOutput({ scorer_slug: 'exact-match', trace_id, output: '', expected_output: '' })
    expect(given.body.score).toBe(1)
    const { scores } = (await tenant.project.ok('GET', `${base}/analytics/traces/${trace_id}`)).body
    expect(scores).toMatchObject([
      { name: 'exact-match', value: 1 },
      { name: 'correctness', value: body.score, comment: body.reasoning },
    ])
    expect((await tenant.project.ok('GET', path)).body.total_queries).toBe(before)
  })

  it('use the expected output of the request before the one of the trace', async () => {
    const trace_id = await record({ output: 'twelve', custom_attributes: { expected_output: 'twelve' } })
    const compared = { scorer_slug: 'exact-match', trace_id }
    expect((await scoreOutput(compared)).body.score).toBe(1)
    expect((await scoreOutput({ ...compared, expected_output: 'thirteen' })).body.score).toBe(0)
  })

  it('require an output or a trace, the texts to compare, and an existing scorer and trace', async () => {
    const trace_id = await record({})
    const wrong: [object, number, string][] = [
      [{ scorer_slug: 'json-valid' }, 400, 'output'],
      [{ scorer_slug: 'json-valid' }, 400, 'trace_id'],
      [{ scorer_slug: 'exact-match', output: 'a' }, 400, 'expected_output'],
      [{ scorer_slug: 'faithfulness', output: 'a' }, 400, 'input'],
      [{ scorer_slug: 'nope', output: 'a' }, 404, 'scorer_slug'],
      [{ scorer_slug: 'json-valid', trace_id: 'trc_00000000000000000000' }, 404, 'trace'],
    ]
    for (const [body, status, names] of wrong)
      expectRefusal(await scoreOutput(body), { status, project: true, names })
    const other = await createTenant(server.url)
    const theirs = { scorer_slug: 'json-valid', trace_id }
    const answer = await other.project.post(`/v1/${other.projectId}/score-with-judge`, theirs)
    expectRefusal(answer, { status: 404, project: true, names: 'trace' })
  })

  it('do not block other requests while they score hostile texts', async () => {
    const long = 'a1 not '.repeat(60_000)
    const slow = ['correctness', 'faithfulness', 'levenshtein', 'rouge-l', 'semantic-similarity', 'toxicity']
    let finished = 0
    const scoring = slow.map(async (scorer_slug) => {
      const answer = await scoreOutput({
        scorer_slug,
        input: long,
        output: long,
        expected_output: `${long}b`,
      })
      finished += 1
      return answer
    })
    const other = await createTenant(server.url)
    await other.project.ok('POST', `/v1/${other.projectId}/traces`, { input: 'i', output: 'o' })
    expect(finished).toBeLessThan(slow.length)
    for (const answer of await Promise.all(scoring)) {
      expect(answer.status).toBe(200)
      expect(answer.body.reasoning).toContain('of the first 20000 characters')
    }
  })

  const own = { prompt: 'Kind? {{output}}', choices: { yes: 1, no: 0 } }

  it('of a project are created, listed, replaced and deleted', async () => {
    const path = `${base}/scorers`
    const made = await tenant.project.post(path, { slug: 'kind', ...own, description: 'kind or not' })
    expect(made.status).toBe(201)
    const stored = {
      ...{ slug: 'kind', description: 'kind or not', built_in: false, method: 'model', model: null, ...own },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    expect(made.body).toEqual(stored)
    expect((await tenant.project.ok('GET', `${path}/kind`)).body).toEqual(stored)
    const all = (await tenant.project.ok('GET', path)).body
    expect(all).toHaveLength(13)
    expect(all[0]).toMatchObject({ slug: 'correctness', built_in: true, method: 'local' })
    for (const scorer of all) expect(scorer.description).toEqual(expect.any(String))
    expectRefusal(await tenant.project.post(path, { slug: 'kind', ...own }), {
      status: 409,
      project: true,
      names: 'kind',
    })
    const builtIn = await tenant.project.post(path, { slug: 'contains', ...own })
    expectRefusal(builtIn, { status: 409, project: true, names: 'built-in' })
    const changed = { prompt: '{{output}} for {{input}}?', choices: { good: 0.9, fair: 0.5, bad: 0 } }
    const put = await tenant.project.call('PUT', `${path}/kind`, { body: changed })
    expect(put.body).toMatchObject({ ...changed, description: null, created_at: made.body.created_at })
    const missing = await tenant.project.call('PUT', `${path}/none`, { body: changed })
    expectRefusal(missing, { status: 404, project: true, names: 'scorer' })
    const other = await createTenant(server.url)
    const theirs = await other.project.get(`/v1/${other.projectId}/scorers/kind`)
    expectRefusal(theirs, { status: 404, project: true, names: 'scorer' })
    await tenant.project.ok('DELETE', `${path}/kind`)
    const gone = await tenant.project.call('DELETE', `${path}/kind`)
    expectRefusal(gone, { status: 404, project: true, names: 'scorer' })
  })

  it('of a project report that they need a model', async () => {
    await tenant.project.ok('POST', `${base}/scorers`, { slug: 'kind', ...own })
    const answer = await scoreOutput({ scorer_slug: 'kind', output: 'Hello.' })
    expectRefusal(answer, { status: 400, project: true, names: 'no model provider is configured' })
  })
})
