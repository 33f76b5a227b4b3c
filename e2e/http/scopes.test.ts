import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const team = { name: 'team', type: 'string', required: true }
const year = { name: 'year', type: 'number', required: false }
const draft = { name: 'is-draft_2', type: 'boolean', required: false }

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `s${i}` }))

describe.each(sharedServers)('scopes of a chat, on $database', ({ server }) => {
  let tenant: Tenant
  let path: string
  let sequence = 0

  beforeEach(async () => {
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.chatId}/scopes`
  })

  const configure = (...scopes: unknown[]) => tenant.chat.post(`${path}/configure`, { scopes })
  const read = async () => (await tenant.chat.ok('GET', path)).body
  const clear = () => tenant.chat.ok('DELETE', path)
  const upload = (values?: unknown) => {
    const form = uploadForm('lamp.txt', `The lamp number ${sequence++} is blue.`, values)
    return tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, form)
  }
  const search = (scope_filters: object) =>
    tenant.chat.post(`/v1/${tenant.chatId}/search`, { query: 'lamp', scope_filters })
  /** Expects that a search, an answer and a stream reject these filters, with `names` in the message. */
  async function refusedFilters(scope_filters: object, names: string): Promise<void> {
    const question = { question: 'Which lamp is blue?', scope_filters }
    const answers = [
      await search(scope_filters),
      await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, question),
      await tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, question),
    ]
    for (const answer of answers) expectRefusal(answer, { status: 400, project: false, names })
  }
  async function refusedUpload(answer: Answer, names: string): Promise<void> {
    expectRefusal(answer, { status: 400, project: false, names })
    const { body } = await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)
    expect(body.total_files).toBe(0)
  }

  it('are not configured at first, so any valid name is accepted', async () => {
    expect(await read()).toEqual({ chat_id: tenant.chatId, scopes: [] })
    expect((await upload({ anything: 1, 'a-b_c': 'x' })).body.scope_values).toEqual({
      anything: 1,
      'a-b_c': 'x',
    })
    expect((await upload()).status).toBe(200)
    expect((await search({ anything: 1 })).body.results).toHaveLength(1)
    expect((await search({ else: true })).body.results).toEqual([])
  })

  it('can be configured and read; by default they are strings and not required', async () => {
    const described = { ...team, description: 'Who it belongs to, ü\0\ud800' }
    const scopes = [described, year, draft, { name: 'z', type: 'string', required: false }]
    const nulls = { name: 'z', type: null, required: null, description: null, nope: 1 }
    const { status, body } = await configure(described, { name: 'year', type: 'number' }, draft, nulls)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: expect.any(String), chat_id: tenant.chatId, scopes })
    expect(await read()).toEqual({ chat_id: tenant.chatId, scopes })
  })

  it('are replaced as a whole by the next configuration', async () => {
    await configure(team, year)
    await configure(draft)
    expect((await read()).scopes).toEqual([draft])
    await configure()
    expect((await read()).scopes).toEqual([])
    expect((await upload({ whatever: 1 })).status).toBe(200)
  })

  it.each([
    ['a name that begins with a digit', [{ name: '1st' }], 'invalid scope name'],
    ['a name with a space', [{ name: 'a b' }], 'letters, digits, underscores, hyphens'],
    ['a name that is too long', [{ name: 'a'.repeat(65) }], 'invalid scope name'],
    ['an empty name', [{ name: '' }], 'invalid scope name'],
    ['the reserved name id', [{ name: 'id' }], 'id is reserved'],
    ['the reserved name text', [{ name: 'text' }], 'text is reserved'],
    ['the reserved name chat_id', [{ name: 'chat_id' }], 'chat_id is reserved'],
    ['the reserved name file_id', [{ name: 'file_id' }], 'file_id is reserved'],
    ['the reserved name filename', [{ name: 'filename' }], 'filename is reserved'],
    ['a name twice', [{ name: 'a' }, { name: 'b' }, { name: 'a' }], 'scopes names a twice'],
    ['more than twenty', many(21), '20'],
    ['an unknown type', [{ name: 'a', type: 'date' }], 'scopes[0].type'],
    ['a list in place of a scope', [year, []], 'scopes[1]'],
    ['no name', [year, { type: 'string' }], 'scopes[1].name'],
  ])('reject %s, and the configuration stays', async (_, scopes, names) => {
    await configure(team)
    expectRefusal(await configure(...scopes), { status: 400, project: false, names })
    expect((await read()).scopes).toEqual([team])
  })

  it('can be twenty, with names of 64 characters that differ only in case', async () => {
    expect((await configure(...many(20))).body.scopes).toHaveLength(20)
    const names = ['a'.repeat(64), 'Team', 'team', 'ID']
    expect((await configure(...names.map((name) => ({ name })))).status).toBe(200)
  })

  it.each([
    [{ team: 'a', floor: 1 }, 'floor'],
    [{ team: 'a', Team: 'b' }, 'Team'],
    [{ team: 5 }, 'scope team expects string, got number'],
    [{ team: true }, 'scope team expects string, got boolean'],
    [{ team: ['a'] }, 'scope team expects string, got list'],
    [{ team: null }, 'scope team expects string, got null'],
    [{ team: 'a', year: '2024' }, 'scope year expects number, got string'],
    [{ team: 'a', year: true }, 'scope year expects number, got boolean'],
    [{ team: 'a', 'is-draft_2': 0 }, 'scope is-draft_2 expects boolean, got number'],
    [{ team: 'a', 'is-draft_2': 'false' }, 'scope is-draft_2 expects boolean, got string'],
    [{ year: 2024 }, 'required scope missing: team'],
    [{}, 'required scope missing: team'],
    [undefined, 'required scope missing: team'],
    [{ team: 'x'.repeat(256) }, '255'],
  ])('reject an upload with the values %j after the configuration', async (values, names) => {
    await configure(team, year, draft)
    await refusedUpload(await upload(values), names)
  })

  it.each([
    { team: 'a' },
    { team: '' },
    { team: 'x'.repeat(255), year: 0, 'is-draft_2': false },
    { team: 'a', year: -1.5 },
  ])('accept an upload with the valid values %j, and filter by them', async (values) => {
    await configure(team, year, draft)
    const { status, body } = await upload(values)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.scope_values).toEqual(values)
    const found = (await search(values)).body
    expect(found.results.map((entry: { file_id: string }) => entry.file_id)).toEqual([body.file_id])
    expect(found.scope_filters_applied).toEqual(values)
  })

  it('accept 0 and false as required values', async () => {
    await configure({ ...year, required: true }, { ...draft, required: true })
    expect((await upload({ year: 0, 'is-draft_2': false })).status).toBe(200)
    expect((await search({ year: 0, 'is-draft_2': false })).body.results).toHaveLength(1)
    expect((await search({ year: 0, 'is-draft_2': true })).body.results).toEqual([])
  })

  it.each([
    [{ floor: 1 }, 'floor'],
    [{ team: 'a', floor: 1 }, 'floor'],
    [{ team: 1 }, 'scope team expects string, got number'],
    [{ year: '2024' }, 'scope year expects number, got string'],
    [{ year: false }, 'scope year expects number, got boolean'],
    [{ 'is-draft_2': 'true' }, 'scope is-draft_2 expects boolean, got string'],
  ])('reject the filters %j after the configuration, in questions and searches', async (filters, names) => {
    await configure(team, year, draft)
    await refusedFilters(filters, names)
  })

  it('that are required in an upload are optional in a filter', async () => {
    await configure(team, year)
    await upload({ team: 'a', year: 1 })
    expect((await search({ year: 1 })).body.results).toHaveLength(1)
    expect((await search({})).body.results).toHaveLength(1)
  })

  it('are cleared with one call; documents keep their values', async () => {
    await configure(team, year)
    const { body: file } = await upload({ team: 'a', year: 1 })
    expect((await clear()).body).toEqual({
      success: true,
      message: expect.any(String),
      chat_id: tenant.chatId,
    })
    expect(await read()).toEqual({ chat_id: tenant.chatId, scopes: [] })
    const { body } = await search({ team: 'a', year: 1 })
    expect(body.results.map((entry: { file_id: string }) => entry.file_id)).toEqual([file.file_id])
    expect((await upload({ other: 1 })).status).toBe(200)
    expect((await clear()).status).toBe(200)
  })

  it('have no value in earlier documents, which a filter excludes', async () => {
    await upload()
    await configure({ ...team, required: true })
    const { body: file } = await upload({ team: 'a' })
    const { body } = await search({ team: 'a' })
    expect(body.results.map((entry: { file_id: string }) => entry.file_id)).toEqual([file.file_id])
    expect((await search({})).body.results).toHaveLength(2)
  })

  it('belong to one chat', async () => {
    await configure(team)
    const other = await createTenant(server.url)
    expect((await other.chat.ok('GET', `/v1/${other.chatId}/scopes`)).body.scopes).toEqual([])
    await other.chat.ok('DELETE', `/v1/${other.chatId}/scopes`)
    expect((await read()).scopes).toEqual([team])
  })
})
