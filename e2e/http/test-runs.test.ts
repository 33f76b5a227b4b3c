import { SaxesParser } from 'saxes'
import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServer, sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { createSuite, type NewCase, runEnd, runThrough, startRun } from '../support/runs.ts'

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const nothing = 'Nothing relevant to this question was found in the documents.'
const builtin = { target: { type: 'builtin' } }

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
}

/** The elements of an XML document in order; throws if it is not well-formed. */
function parseXml(text: string): Element[] {
  const elements: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' }
    elements.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    const last = open.at(-1)
    if (last) last.text += part
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return elements
}

describe.each(sharedServers)('test runs, on $database', ({ server }) => {
  let tenant: Tenant
  let project: Api
  let projectId: string
  let runs: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    ;({ project, projectId } = tenant)
    runs = `/v1/${projectId}/testing/runs`
  })

  const tracesOf = async (runId: string) =>
    (await project.ok('GET', `/v1/${projectId}/analytics/traces?limit=1000&attr.run_id=${runId}`)).body

  it('go from running to completed, in the shape of the contract', async () => {
    const contains = { type: 'contains', value: 'Nothing relevant' }
    const { suiteId, caseIds } = await createSuite(
      project,
      projectId,
      [
        { query: 'one', expected_answer: 'x', category: 'c', assertions: [contains] },
        { query: 'two', expected_answer: 'y', assertions: [contains, { type: 'equals', value: 'y' }] },
      ],
      builtin,
    )
    const started = await project.call('POST', `/v1/${projectId}/testing/suites/${suiteId}/run`)
    expect(started.status).toBe(201)
    expect(started.body).toEqual({
      run_id: expect.stringMatching(/^run_[0-9a-z]{20}$/),
      suite_id: suiteId,
      status: 'running',
      started_at: expect.stringMatching(iso),
    })
    const { run_id } = started.body
    const end = await runEnd(project, projectId, run_id)
    const answer = await project.ok('GET', `${runs}/${run_id}/results`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const { results, ...head } = answer.body
    expect(head).toEqual({
      ...started.body,
      status: 'completed',
      completed_at: expect.stringMatching(iso),
      passed: 1,
      failed: 1,
      total: 2,
      pass_rate: 0.5,
      error: null,
    })
    const common = { actual_output: nothing, judgement: null, error: null, cost: 0, judge_cost: null }
    expect(results).toEqual([
      {
        ...common,
        case_id: caseIds[0],
        query: 'one',
        expected_answer: 'x',
        category: 'c',
        passed: true,
        latency_ms: expect.any(Number),
        trace_id: expect.stringMatching(/^trc_[0-9a-z]{20}$/),
        assertions: [{ ...contains, passed: true }],
      },
      {
        ...common,
        case_id: caseIds[1],
        query: 'two',
        expected_answer: 'y',
        category: null,
        passed: false,
        latency_ms: expect.any(Number),
        trace_id: expect.stringMatching(/^trc_[0-9a-z]{20}$/),
        assertions: [
          { ...contains, passed: true },
          { type: 'equals', value: 'y', passed: false, message: expect.stringContaining('character 1') },
        ],
      },
    ])
    expect(end).toMatchObject({ passed: 1, failed: 1, errors: 0, total: 2, target: { type: 'builtin' } })
    expect(end.avg_latency_ms).toBeCloseTo((results[0].latency_ms + results[1].latency_ms) / 2)
  })

  it('write each call as one trace with the ids of its case', async () => {
    const cases = Array.from({ length: 5 }, (_, n) => ({ query: `q${n}`, expected_answer: 'x' }))
    const { suiteId } = await createSuite(project, projectId, cases, builtin)
    const { run_id, results } = await runThrough(project, projectId, suiteId)
    const traces = await tracesOf(run_id)
    expect(traces).toHaveLength(5)
    for (const { trace_id, case_id, query, actual_output, latency_ms } of results) {
      const { body } = await project.ok('GET', `/v1/${projectId}/analytics/traces/${trace_id}`)
      expect(body).toMatchObject({
        input: query,
        output: actual_output,
        latency_ms,
        status: 'success',
        tags: ['test-run'],
        custom_attributes: { run_id, suite_id: suiteId, case_id },
        version: null,
      })
    }
  })

  it('use correctness with the threshold 0.7 for a case without assertions', async () => {
    const cases = [
      { query: 'What?', expected_answer: nothing },
      { query: 'How many books may I borrow?', expected_answer: 'Twelve books' },
    ]
    const { suiteId } = await createSuite(project, projectId, cases, builtin)
    const { results } = await runThrough(project, projectId, suiteId)
    expect(results).toMatchObject([
      {
        passed: true,
        assertions: [],
        judgement: { scorer: 'correctness', score: 1, threshold: 0.7, method: 'local' },
      },
      {
        passed: false,
        assertions: [],
        judgement: { scorer: 'correctness', threshold: 0.7, method: 'local' },
      },
    ])
    expect(results[1].judgement.score).toBeLessThan(0.7)
    expect(results[1].judgement.reasoning).toMatch(/\S/)
  })

  it('without cases complete without results', async () => {
    const { suiteId } = await createSuite(project, projectId, [])
    const results = await runThrough(project, projectId, suiteId)
    expect(results).toMatchObject({
      status: 'completed',
      total: 0,
      passed: 0,
      failed: 0,
      pass_rate: 0,
      results: [],
    })
  })

  it('complete on an installation without documents, models and published chats', async () => {
    const { project_id } = (await Api.admin(server.url).ok('POST', '/v1/console/projects', { name: 'new' }))
      .body
    const { api_key } = (await Api.admin(server.url).ok('POST', `/v1/console/projects/${project_id}/keys`))
      .body
    const own = project.withKey(api_key)
    const { suiteId } = await createSuite(own, project_id, [{ query: 'q', expected_answer: 'x' }])
    const { status, results } = await runThrough(own, project_id, suiteId)
    expect(status).toBe('completed')
    expect(results).toMatchObject([{ actual_output: nothing }])
  })

  it('use the first published chat of the project by default, with one trace per question', async () => {
    const form = uploadForm('leave.md', 'Employees get 27 days of paid leave each year.')
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
    const assertions = [{ type: 'contains', value: '27 days' }]
    const cases = [
      { query: 'How many days of paid leave do employees get?', expected_answer: '27', assertions },
    ]
    const { suiteId } = await createSuite(project, projectId, cases)
    const before = (await project.ok('GET', `/v1/${projectId}/analytics/metrics`)).body.total_queries
    const { run_id, results } = await runThrough(project, projectId, suiteId)
    expect(results).toMatchObject([{ passed: true }])
    const { target } = (await project.ok('GET', `${runs}/${run_id}`)).body
    expect(target).toEqual({ type: 'chat', chat_id: tenant.chatId })
    const after = (await project.ok('GET', `/v1/${projectId}/analytics/metrics`)).body.total_queries
    expect(after - before).toBe(1)
    const trace = await project.ok('GET', `/v1/${projectId}/analytics/traces/${results[0].trace_id}`)
    expect(trace.body).toMatchObject({
      tags: ['chat', 'test-run'],
      custom_attributes: { chat_id: tenant.chatId, run_id, suite_id: suiteId },
      spans: [{ name: 'retrieve' }, { name: 'generate' }],
    })
  })

  it('fail with a remedy if their target was deleted, and use no other chat instead', async () => {
    const admin = Api.admin(server.url)
    const chats = `/v1/console/projects/${projectId}/chats`
    const { chat_id } = (await admin.ok('POST', chats, { title: 'late', publish: true })).body
    const cases = [{ query: 'q', expected_answer: 'x' }]
    const { suiteId } = await createSuite(project, projectId, cases, { target: { type: 'chat', chat_id } })
    const path = `/v1/${projectId}/testing/suites/${suiteId}/run`
    await admin.ok('POST', `/v1/console/chats/${chat_id}/unpublish`)
    const unpublished = (await project.ok('POST', path)).body
    expect(unpublished.status).toBe('failed')
    await admin.ok('DELETE', `/v1/console/chats/${chat_id}`)
    const gone = (await project.ok('POST', path)).body
    for (const [{ run_id }, says] of [
      [unpublished, 'publish them first'],
      [gone, 'set another target of the suite'],
    ] as const) {
      const { body } = await project.ok('GET', `${runs}/${run_id}/results`)
      expect(body).toMatchObject({ status: 'failed', total: 1, passed: 0, failed: 0, results: [] })
      expect(body.error).toContain(says)
      expect(body.completed_at).toMatch(iso)
    }
    const events = (await project.ok('GET', `/v1/${projectId}/events?type=run_failed`)).body
    expect(events[0].data).toMatchObject({ run_id: gone.run_id, status: 'failed', error: expect.any(String) })
    const model = { target: { type: 'model', model: 'gpt-4o' } }
    const noProvider = (await project.ok('POST', path, model)).body
    const why = (await project.ok('GET', `${runs}/${noProvider.run_id}`)).body.error
    expect(why).toContain('no provider is configured for the model gpt-4o')
  })

  it('that failed do not hide the last completed run of a version', async () => {
    const own = await createTenant(server.url)
    const base = `/v1/${own.projectId}`
    const { version_id } = (await own.project.ok('POST', `${base}/versions`, { version: '1.0.0' })).body
    const cases = [{ query: 'q', expected_answer: nothing }]
    const { suiteId } = await createSuite(own.project, own.projectId, cases)
    const done = await runThrough(own.project, own.projectId, suiteId, { version_id, ...builtin })
    const withoutProvider = { version_id, target: { type: 'model', model: 'gpt-4o' } }
    const path = `${base}/testing/suites/${suiteId}/run`
    const later = (await own.project.ok('POST', path, withoutProvider)).body
    expect(later.status).toBe('failed')
    const compare = `${base}/versions/compare?a=${version_id}&b=${version_id}`
    const { suites } = (await own.project.ok('GET', compare)).body
    expect(suites).toMatchObject([{ suite_id: suiteId, a: { run_id: done.run_id } }])
  })

  it('write one event at their end, also if many lanes end at once', async () => {
    const cases = Array.from({ length: 20 }, (_, n) => ({ query: `q${n}`, expected_answer: nothing }))
    const { suiteId } = await createSuite(project, projectId, cases, builtin)
    const { run_id } = await runThrough(project, projectId, suiteId, { concurrency: 16 })
    const events = (await project.ok('GET', `/v1/${projectId}/events?type=run_completed&limit=1000`)).body
    const own = events.filter(({ data }: { data: { run_id: string } }) => data.run_id === run_id)
    expect(own).toHaveLength(1)
    expect(own[0].data).toEqual({
      run_id,
      suite_id: suiteId,
      status: 'completed',
      total: 20,
      passed: 20,
      failed: 0,
      pass_rate: 1,
      timestamp: expect.any(Number),
    })
  })

  it('keep their cases if these are changed or deleted later', async () => {
    const cases = [1, 2].map((n) => ({ query: `q${n}`, expected_answer: nothing }))
    const { suiteId, caseIds } = await createSuite(project, projectId, cases, builtin)
    const before = await runThrough(project, projectId, suiteId)
    const path = `/v1/${projectId}/testing/suites/${suiteId}/cases`
    await project.ok('PATCH', `${path}/${caseIds[0]}`, { query: 'new', expected_answer: 'new' })
    await project.ok('DELETE', `${path}/${caseIds[1]}`)
    const after = (await project.ok('GET', `${runs}/${before.run_id}/results`)).body
    expect(after).toEqual(before)
    expect((await runThrough(project, projectId, suiteId)).results).toMatchObject([{ query: 'new' }])
  })

  it('are listed newest first, by suite, version and state, page by page', async () => {
    const { suiteId } = await createSuite(project, projectId, [], builtin)
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.push((await runThrough(project, projectId, suiteId)).run_id)
    const read: string[] = []
    for (let next: string | undefined = `${runs}?suite_id=${suiteId}&limit=2`; next; ) {
      const answer = await project.ok('GET', next)
      read.push(...answer.body.map(({ run_id }: { run_id: string }) => run_id))
      next = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(read).toEqual(made.toReversed())
    const count = async (query: string) => (await project.ok('GET', `${runs}?${query}`)).body.length
    expect(await count(`suite_id=${suiteId}&status=completed`)).toBe(5)
    expect(await count(`suite_id=${suiteId}&status=running`)).toBe(0)
    expect(await count('suite_id=ste_00000000000000000000')).toBe(0)
    expect(await count('version_id=ver_00000000000000000000')).toBe(0)
    for (const [query, names] of [
      ['status=done', 'status'],
      ['cursor=x', 'cursor'],
      ['limit=0', 'limit'],
    ] as const) {
      expectRefusal(await project.get(`${runs}?${query}`), { status: 400, project: true, names })
    }
  })

  it('get a name and notes, and are deleted without their traces', async () => {
    const { suiteId } = await createSuite(project, projectId, [{ query: 'q', expected_answer: 'x' }], builtin)
    const { run_id } = await runThrough(project, projectId, suiteId, { name: 'a', notes: 'b' })
    expect((await project.ok('GET', `${runs}/${run_id}`)).body).toMatchObject({ name: 'a', notes: 'b' })
    const renamed = (await project.ok('PATCH', `${runs}/${run_id}`, { notes: 'c' })).body
    expect(renamed).toMatchObject({ name: 'a', notes: 'c', status: 'completed' })
    await project.ok('DELETE', `${runs}/${run_id}`)
    expectRefusal(await project.get(`${runs}/${run_id}`), {
      status: 404,
      project: true,
      names: 'run not found',
    })
    expect(await tracesOf(run_id)).toHaveLength(1)
  })

  it('are read in pages, or completely if they are long', async () => {
    const cases = Array.from({ length: 450 }, (_, n) => ({ query: `q${n}`, expected_answer: nothing }))
    const { suiteId, caseIds } = await createSuite(project, projectId, cases, builtin)
    const whole = await runThrough(project, projectId, suiteId, { concurrency: 8 })
    expect(whole.results.map(({ case_id }: { case_id: string }) => case_id)).toEqual(caseIds)
    const read: unknown[] = []
    for (let next: string | undefined = `${runs}/${whole.run_id}/results?limit=200`; next; ) {
      const answer = await project.ok('GET', next)
      expect(answer.body).toMatchObject({ passed: 450, total: 450, status: 'completed' })
      read.push(...answer.body.results)
      next = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(read).toEqual(whole.results)
    const wrong = await project.get(`${runs}/${whole.run_id}/results?cursor=x`)
    expectRefusal(wrong, { status: 400, project: true, names: 'cursor' })
    const format = await project.get(`${runs}/${whole.run_id}/results?format=xml`)
    expectRefusal(format, { status: 400, project: true, names: 'format' })
  })

  it('are valid JUnit XML', async () => {
    const odd = 'a <b> & "c" \'d\' ]]> \u0001 \u{1f600}\nline\ttab'
    const cases: NewCase[] = [
      {
        query: odd,
        expected_answer: odd,
        category: '<cat>',
        assertions: [{ type: 'contains', value: 'No' }],
      },
      { query: 'two', expected_answer: odd, assertions: [{ type: 'equals', value: odd }] },
      { query: 'three', expected_answer: 'Twelve books' },
    ]
    const suite = { ...builtin, name: 'suite & <co>' }
    const { suiteId, caseIds } = await createSuite(project, projectId, cases, suite)
    const { run_id } = await runThrough(project, projectId, suiteId)
    const answer = await project.ok('GET', `${runs}/${run_id}/results?format=junit`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/xml/)
    const elements = parseXml(answer.text)
    const counts = { tests: '3', failures: '2', errors: '0', name: 'suite & <co>' }
    expect(elements[0]).toMatchObject({ name: 'testsuites', attributes: counts })
    expect(elements[1]).toMatchObject({ name: 'testsuite', attributes: counts })
    const found = elements.filter(({ name }) => name === 'testcase')
    expect(found.map(({ attributes }) => attributes.name)).toEqual([
      `a <b> & "c" 'd' ]]> \ufffd \u{1f600} line tab (${caseIds[0]})`,
      `two (${caseIds[1]})`,
      `three (${caseIds[2]})`,
    ])
    expect(found[0]?.attributes.classname).toBe('suite & <co>.<cat>')
    const failures = elements.filter(({ name }) => name === 'failure')
    expect(failures).toHaveLength(2)
    expect(failures[0]?.attributes.message).toContain('equals: ')
    expect(failures[0]?.text).toContain(`expected: ${odd.replace('\u0001', '\ufffd')}`)
    expect(failures[1]?.text).toContain('correctness: ')
    expect(failures[1]?.text).toContain('(local method)')
  })

  it('are compared case by case', async () => {
    const assertion = (value: string) => [{ type: 'contains', value }]
    const cases = ['same', 'improves', 'regresses', 'goes'].map((query) => ({
      query,
      expected_answer: 'x',
      assertions: assertion(query === 'improves' ? 'absent' : 'Nothing'),
    }))
    const { suiteId, caseIds } = await createSuite(project, projectId, cases, builtin)
    const path = `/v1/${projectId}/testing/suites/${suiteId}/cases`
    const a = await runThrough(project, projectId, suiteId)
    await project.ok('PATCH', `${path}/${caseIds[1]}`, { assertions: assertion('Nothing') })
    await project.ok('PATCH', `${path}/${caseIds[2]}`, { assertions: assertion('absent') })
    await project.ok('DELETE', `${path}/${caseIds[3]}`)
    const added = (
      await project.ok('POST', path, { ...cases[0], query: 'comes', assertions: assertion('absent') })
    ).body.case_id
    const b = await runThrough(project, projectId, suiteId)
    const { body } = await project.ok('GET', `${runs}/compare?a=${a.run_id}&b=${b.run_id}`)
    expect(body.counts).toEqual({ improved: 1, regressed: 1, same: 1, only_in_a: 1, only_in_b: 1 })
    const changes = body.cases.map((each: { case_id: string; change: string }) => [each.case_id, each.change])
    expect(changes).toEqual([
      [caseIds[0], 'same'],
      [caseIds[1], 'improved'],
      [caseIds[2], 'regressed'],
      [caseIds[3], 'only_in_a'],
      [added, 'only_in_b'],
    ])
    expect(body.cases[1]).toMatchObject({ query: 'improves', a: { passed: false }, b: { passed: true } })
    expect(body.cases[4].a).toBeNull()
    expect(body.run_a).toMatchObject({ run_id: a.run_id, pass_rate: 0.75 })
    expect(body.diff.pass_rate_change).toBeCloseTo(-0.25)
    const pct = (body.run_b.avg_latency_ms / body.run_a.avg_latency_ms - 1) * 100
    expect(body.diff.latency_change_pct).toBeCloseTo(pct)
    expect(body.diff.cost_change_pct).toBe(0)
    const unknown = 'run_00000000000000000000'
    for (const [query, status, names] of [
      [`a=${a.run_id}`, 400, 'b is required'],
      [`a=${unknown}&b=${a.run_id}`, 404, 'a must be a run of the project'],
      [`a=${a.run_id}&b=${unknown}`, 404, 'b must be a run of the project'],
    ] as const) {
      expectRefusal(await project.get(`${runs}/compare?${query}`), { status, project: true, names })
    }
  })

  it('are hidden from other projects', async () => {
    const other = await createTenant(server.url)
    const theirs = await createSuite(other.project, other.projectId, [{ query: 'q', expected_answer: 'x' }])
    const { run_id } = await runThrough(other.project, other.projectId, theirs.suiteId)
    const own = await createSuite(project, projectId, [{ query: 'q', expected_answer: 'x' }], builtin)
    const ours = await runThrough(project, projectId, own.suiteId)
    for (const [method, path] of [
      ['GET', `${runs}/${run_id}`],
      ['PATCH', `${runs}/${run_id}`],
      ['DELETE', `${runs}/${run_id}`],
      ['POST', `${runs}/${run_id}/cancel`],
      ['GET', `${runs}/${run_id}/results`],
      ['GET', `${runs}/compare?a=${ours.run_id}&b=${run_id}`],
    ] as const) {
      const answer = await project.call(method, path, method === 'PATCH' ? { body: { name: 'x' } } : {})
      expectRefusal(answer, { status: 404, project: true, names: 'run not found' }, `${method} ${path}`)
    }
    const version = (await other.project.ok('POST', `/v1/${other.projectId}/versions`, { version: '1.0.0' }))
      .body
    const path = `/v1/${projectId}/testing/suites/${own.suiteId}/run`
    const wrong = await project.call('POST', path, { body: { version_id: version.version_id } })
    expectRefusal(wrong, { status: 404, project: true, names: 'version_id' })
  })

  it('that have ended do not change when they are cancelled', async () => {
    const { suiteId } = await createSuite(
      project,
      projectId,
      [{ query: 'q', expected_answer: nothing }],
      builtin,
    )
    const runId = await startRun(project, projectId, suiteId)
    const before = await runEnd(project, projectId, runId)
    expect((await project.ok('POST', `${runs}/${runId}/cancel`)).body).toEqual(before)
  })
})

describe('an endpoint under the rules of production', () => {
  it('is not called if its host name is not known', async () => {
    const { project, projectId } = await createTenant(sharedServer('SQLite').url)
    const target = { type: 'http', url: 'https://localtest.invalid/' }
    const cases = [{ query: 'question 0', expected_answer: 'x' }]
    const { suiteId } = await createSuite(project, projectId, cases, { target })
    const { results } = await runThrough(project, projectId, suiteId)
    expect(results[0].error).toContain('not found')
  })
})
