import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { createSuite } from '../support/runs.ts'

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe.each(sharedServers)('test suites and cases, on $database', ({ server }) => {
  let tenant: Tenant
  let project: Api
  let suites: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    project = tenant.project
    suites = `/v1/${tenant.projectId}/testing/suites`
  })

  const refusedBy = async (method: string, path: string, body: unknown, names: string, status = 400) =>
    expectRefusal(await project.call(method, path, { body }), { status, project: true, names }, names)

  it('are created and listed in the form of the contract, newest first', async () => {
    const made = await project.call('POST', suites, {
      body: { name: 'first', description: 'd', tags: ['x', 'y'] },
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      suite_id: expect.stringMatching(/^ste_[0-9a-z]{20}$/),
      name: 'first',
      created_at: expect.stringMatching(iso),
    })
    const { suite_id, created_at } = made.body
    const created = await project.call('POST', `${suites}/${suite_id}/cases`, {
      body: { query: 'q', expected_answer: 'a' },
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      case_id: expect.stringMatching(/^tsc_[0-9a-z]{20}$/),
      suite_id,
      created_at: expect.stringMatching(iso),
    })
    const second = (await project.ok('POST', suites, { name: 'second' })).body
    const list = (await project.ok('GET', suites)).body
    expect(list).toEqual([
      { ...second, description: null, tags: [], case_count: 0 },
      { suite_id, name: 'first', description: 'd', tags: ['x', 'y'], case_count: 1, created_at },
    ])
    expect((await project.ok('GET', `${suites}/${suite_id}`)).body).toEqual({ ...list[1], target: null })
  })

  it('are changed only in the given fields', async () => {
    const { suiteId } = await createSuite(project, tenant.projectId, [], { description: 'd', tags: ['x'] })
    const path = `${suites}/${suiteId}`
    const before = (await project.ok('GET', path)).body
    expect((await project.ok('PATCH', path, { name: 'new' })).body).toEqual({ ...before, name: 'new' })
    expect((await project.ok('PATCH', path, { tags: [], description: '' })).body).toEqual({
      ...before,
      name: 'new',
      tags: [],
      description: '',
    })
    expect((await project.ok('PATCH', path, {})).body).toMatchObject({ name: 'new', tags: [] })
  })

  it('never return the headers of a target', async () => {
    const target = {
      type: 'http',
      url: 'https://example.com/ask',
      headers: { Authorization: 'Bearer very-secret-words' },
      model: 'gpt-4o',
    }
    const { suiteId } = await createSuite(project, tenant.projectId, [], { target })
    const answer = await project.ok('GET', `${suites}/${suiteId}`)
    const shown = { type: 'http', url: 'https://example.com/ask', header_names: ['Authorization'] }
    expect(answer.body.target).toEqual(shown)
    const list = await project.ok('GET', suites)
    expect(`${answer.text}${list.text}`).not.toContain('very-secret-words')
    const changed = await project.ok('PATCH', `${suites}/${suiteId}`, { target: { type: 'default' } })
    expect(changed.body.target).toBeNull()
  })

  it('reject invalid targets with the name of the field', async () => {
    const other = await createTenant(server.url)
    const wrong: [target: unknown, names: string, status?: number][] = [
      [{}, 'target.type is required'],
      [{ type: 'chat' }, 'target.chat_id is required'],
      [{ type: 'chat', chat_id: 'chat00000000000000000000' }, 'target.chat_id', 404],
      [{ type: 'chat', chat_id: other.chatId }, 'target.chat_id', 404],
      [{ type: 'http' }, 'target.url is required'],
      [{ type: 'http', url: 'http://example.com/' }, 'target.url'],
      [{ type: 'http', url: 'https://127.0.0.1/' }, 'target.url'],
      [{ type: 'http', url: 'https://10.1.2.3/' }, 'target.url'],
      [{ type: 'http', url: 'https://example.com/', headers: { 'a b': 'c' } }, 'target.headers'],
      [{ type: 'model', model: 'no-such-model' }, 'target.model'],
    ]
    for (const [target, names, status] of wrong) {
      await refusedBy('POST', suites, { name: 'x', target }, names, status)
    }
    const { suiteId } = await createSuite(project, tenant.projectId, [])
    for (const [target, names, status] of wrong) {
      await refusedBy('POST', `${suites}/${suiteId}/run`, { target }, names, status)
    }
  })

  it('contain cases in the order of their creation, in pages', async () => {
    const texts = Array.from({ length: 7 }, (_, n) => `question ${n}`)
    const cases = texts.map((query) => ({ query, expected_answer: `answer to ${query}` }))
    const { suiteId, caseIds } = await createSuite(project, tenant.projectId, cases)
    const read: string[] = []
    for (let next: string | undefined = `${suites}/${suiteId}/cases?limit=3`; next; ) {
      const answer = await project.ok('GET', next)
      expect(answer.body.length).toBeLessThanOrEqual(3)
      read.push(...answer.body.map(({ case_id }: { case_id: string }) => case_id))
      next = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(read).toEqual(caseIds)
    for (const [n, id] of caseIds.entries()) {
      const { body } = await project.ok('GET', `${suites}/${suiteId}/cases/${id}`)
      expect(body).toMatchObject({ case_id: id, query: texts[n] })
    }
    const path = `${suites}/${suiteId}/cases/${caseIds[3]}`
    await project.ok('PATCH', path, { category: 'c' })
    await project.ok('DELETE', path)
    const left = (await project.ok('GET', `${suites}/${suiteId}/cases`)).body
    expect(left.map(({ case_id }: { case_id: string }) => case_id)).toEqual(caseIds.toSpliced(3, 1))
    expect(left.every(({ category }: { category: unknown }) => category === null)).toBe(true)
    await refusedBy('GET', `${suites}/${suiteId}/cases?cursor=x`, undefined, 'cursor')
    const two = await project.ok('GET', `${suites}?limit=2`)
    const cursor = two.headers.get('x-next-cursor')
    const rest = (await project.ok('GET', `${suites}?cursor=${cursor}`)).body
    const all = (await project.ok('GET', suites)).body
    expect([...two.body, ...rest]).toEqual(all)
  })

  it('accept cases with unusual texts, and return them unchanged', async () => {
    const { suiteId } = await createSuite(project, tenant.projectId, [])
    const body = {
      query: '  Wie spät? 😀\n"q" \\ ',
      expected_answer: '',
      category: 'ä/b',
      assertions: [
        { type: 'equals', value: '' },
        { type: 'max_latency_ms', value: 0 },
        { type: 'json_schema', value: { type: 'object', required: ['ü'] } },
        { type: 'min_score', value: 0, scorer: 'faithfulness' },
      ],
    }
    const { case_id } = (await project.ok('POST', `${suites}/${suiteId}/cases`, body)).body
    const read = (await project.ok('GET', `${suites}/${suiteId}/cases/${case_id}`)).body
    expect(read).toMatchObject({ case_id, suite_id: suiteId, trace_id: null, ...body })
    const changed = { query: 'new', assertions: [] }
    const after = (await project.ok('PATCH', `${suites}/${suiteId}/cases/${case_id}`, changed)).body
    expect(after).toEqual({ ...read, ...changed })
    await project.ok('DELETE', `${suites}/${suiteId}/cases/${case_id}`)
    await refusedBy('GET', `${suites}/${suiteId}/cases/${case_id}`, undefined, 'case not found', 404)
    expect((await project.ok('GET', `${suites}/${suiteId}`)).body.case_count).toBe(0)
  })

  it('are created from traces', async () => {
    const trace = { input: 'What is up?', output: 'The sky.' }
    const { trace_id } = (await project.ok('POST', `/v1/${tenant.projectId}/traces`, trace)).body
    const empty = (await project.ok('POST', `/v1/${tenant.projectId}/traces`, { input: ' ', output: '' }))
      .body
    const { suiteId } = await createSuite(project, tenant.projectId, [])
    const cases = `${suites}/${suiteId}/cases`
    const read = async (body: object) =>
      (await project.ok('GET', `${cases}/${(await project.ok('POST', cases, body)).body.case_id}`)).body
    expect(await read({ trace_id })).toMatchObject({
      query: 'What is up?',
      expected_answer: 'The sky.',
      trace_id,
    })
    expect(await read({ trace_id, expected_answer: 'Clouds.' })).toMatchObject({
      query: 'What is up?',
      expected_answer: 'Clouds.',
    })
    const unknown = { trace_id: 'trc_00000000000000000000' }
    await refusedBy('POST', cases, unknown, 'trace not found', 404)
    await refusedBy('POST', cases, { trace_id: empty.trace_id }, 'query is required')
    const other = await createTenant(server.url)
    const theirs = (await other.project.ok('POST', `/v1/${other.projectId}/traces`, trace)).body
    await refusedBy('POST', cases, { trace_id: theirs.trace_id }, 'trace not found', 404)
  })

  it('reject incomplete cases, and invalid assertions with their position', async () => {
    const { suiteId } = await createSuite(project, tenant.projectId, [])
    const cases = `${suites}/${suiteId}/cases`
    const given = { query: 'q', expected_answer: 'a' }
    await refusedBy('POST', cases, {}, 'query is required')
    await refusedBy('POST', cases, { query: 'q' }, 'expected_answer is required')
    await refusedBy('POST', cases, { expected_answer: 'a' }, 'query is required')
    const fine = { type: 'contains', value: 'x' }
    const wrong: [assertion: unknown, names: string][] = [
      [{ type: 'nope', value: 'x' }, 'assertions[2].type'],
      [{ type: 'contains', value: 5 }, 'assertions[2].value'],
      [{ type: 'contains' }, 'assertions[2].value'],
      [{ type: 'max_latency_ms', value: '5' }, 'assertions[2].value'],
      [{ type: 'min_score', value: 2 }, 'assertions[2].value'],
      [{ type: 'min_score', value: 0.5, scorer: 'nobody' }, 'assertions[2].scorer'],
      [{ type: 'regex', value: '(' }, 'assertions[2].value'],
      [{ type: 'json_schema', value: { type: 'nope' } }, 'assertions[2].value'],
      [{ type: 'json_schema', value: { $ref: 'https://example.com/x' } }, 'assertions[2].value'],
      [{ type: 'similar', value: 'x' }, 'assertions[2].value'],
    ]
    for (const [assertion, names] of wrong) {
      await refusedBy('POST', cases, { ...given, assertions: [fine, fine, assertion] }, names)
    }
    expect((await project.ok('GET', cases)).body).toEqual([])
  })

  it('accept scorers of the project by their slug', async () => {
    const { suiteId } = await createSuite(project, tenant.projectId, [])
    const scorer = { slug: 'tone', prompt: '{{output}}', choices: { good: 1, bad: 0 } }
    const assertions = [{ type: 'min_score', value: 0.5, scorer: 'tone' }]
    const body = { query: 'q', expected_answer: 'a', assertions }
    await refusedBy('POST', `${suites}/${suiteId}/cases`, body, 'assertions[0].scorer')
    await project.ok('POST', `/v1/${tenant.projectId}/scorers`, scorer)
    await project.ok('POST', `${suites}/${suiteId}/cases`, body)
  })

  it('are deleted with their cases and runs, also with their project', async () => {
    const { suiteId, caseIds } = await createSuite(project, tenant.projectId, [
      { query: 'q', expected_answer: 'a' },
    ])
    const { run_id } = (await project.ok('POST', `${suites}/${suiteId}/run`)).body
    expect((await project.ok('DELETE', `${suites}/${suiteId}`)).body.success).toBe(true)
    for (const [path, names] of [
      [`${suites}/${suiteId}`, 'suite not found'],
      [`${suites}/${suiteId}/cases`, 'suite not found'],
      [`${suites}/${suiteId}/cases/${caseIds[0]}`, 'suite not found'],
      [`/v1/${tenant.projectId}/testing/runs/${run_id}`, 'run not found'],
      [`/v1/${tenant.projectId}/testing/runs/${run_id}/results`, 'run not found'],
    ] as const) {
      await refusedBy('GET', path, undefined, names, 404)
    }
    await refusedBy('POST', `${suites}/${suiteId}/run`, undefined, 'suite not found', 404)
    const other = await createTenant(server.url)
    const theirs = await createSuite(other.project, other.projectId, [{ query: 'q', expected_answer: 'a' }])
    await other.project.ok('POST', `/v1/${other.projectId}/testing/suites/${theirs.suiteId}/run`)
    await Api.admin(server.url).ok('DELETE', `/v1/console/projects/${other.projectId}`)
  })
})
