import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { routeName, routes } from '../support/routes.ts'
import { socketTalk, wireCall } from '../support/wire.ts'

const made = /^req_[0-9a-z]{20}$/

describe.each(sharedServers.slice(0, 1))('ids of requests', ({ server: { url } }) => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant(url)
  })

  const idOf = ({ headers }: Answer) => headers.get('x-request-id')
  const idFor = async (given: string) =>
    idOf(await wireCall(url, 'GET', '/v1/health', { headers: { 'x-request-id': given } }))

  it('are new for each request, and in every response', async () => {
    const answers = await Promise.all([
      ...routes.map(({ method, path }) => wireCall(url, method, path.replace(/[{}]/g, ''))),
      ...['/', '/projects', '/docs', '/openapi.json', '/openapi-console.json', '/nope', '/%'].map((path) =>
        wireCall(url, 'GET', path),
      ),
      wireCall(url, 'OPTIONS', '/v1/health', {
        headers: { origin: 'https://a.example.com', 'access-control-request-method': 'GET' },
      }),
      wireCall(url, 'GET', '/v1/health', { headers: { expect: 'nothing' } }),
      wireCall(url, 'GET', '/v1/health', { headers: { 'x-large': 'x'.repeat(20_000) } }),
      socketTalk(url, (socket) => void socket.write('NONSENSE\r\n\r\n')),
    ])
    for (const [index, answer] of answers.entries()) {
      const route = routes[index]
      expect(idOf(answer), route && routeName(route)).toMatch(made)
    }
    expect(new Set(answers.map(idOf)).size).toBe(answers.length)
  })

  it('are those of the caller, up to 128 printable characters', async () => {
    for (const id of ['a', 'b'.repeat(128), '~ {"a": 1} !']) expect(await idFor(id)).toBe(id)
    for (const id of ['', '   ', 'c'.repeat(129), 'd\te', '\u00e9']) expect(await idFor(id)).toMatch(made)
  })

  it('are in the bodies of errors, with the type of the error and the field at fault', async () => {
    const own = { headers: { 'x-request-id': 'mine-1' } }
    const path = `/v1/${tenant.projectId}/traces`
    const inProject = await tenant.project.call('POST', path, { ...own, body: { input: 'a', spans: [{}] } })
    const inChat = await tenant.chat.call('GET', `/v1/${tenant.chatId}/files/nope/status`, own)
    const malformed = await wireCall(url, 'GET', '/v1/health', {
      headers: { expect: 'nothing', ...own.headers },
    })
    expectRefusal(inProject, { status: 400, project: true })
    expect(inProject.body.error).toMatchObject({
      type: 'invalid_request',
      param: 'output',
      request_id: 'mine-1',
    })
    expectRefusal(inChat, { status: 404, project: false })
    expect(inChat.body).toMatchObject({ type: 'not_found', request_id: 'mine-1' })
    expect(inChat.body.param).toBeUndefined()
    expectRefusal(malformed, { status: 417, project: false })
    expect(malformed.body.request_id).toBe('mine-1')
  })

  it.each([
    ['traces', { input: 'a', output: 'b', spans: [{ name: 's', start: 2, end: 1 }] }, 'spans[0].end'],
    ['versions', { version: 'one', content: 'x' }, 'version'],
  ])('of %s: %j names the field %s', async (path, body, param) => {
    const answer = await tenant.project.post(`/v1/${tenant.projectId}/${path}`, body)
    expectRefusal(answer, { status: 400, project: true, param })
  })

  it('name fields of queries', async () => {
    const path = `/v1/${tenant.projectId}/analytics/traces`
    for (const [query, param] of [
      ['limit=x', 'limit'],
      ['start_date=x', 'start_date'],
      ['attr.a%20b=%00', 'attr.a b'],
    ]) {
      const answer = await tenant.project.get(`${path}?${query}`)
      expectRefusal(answer, { status: 400, project: true, ...(param !== undefined && { param }) }, query)
    }
  })

  it('do not name a field that the request does not have', async () => {
    const answer = await tenant.project.post(`/v1/${tenant.projectId}/traces`, '{')
    expectRefusal(answer, { status: 400, project: true })
    expect(answer.body.error).not.toHaveProperty('param')
    expect((await new Api(url).get('/v1/nope')).body).not.toHaveProperty('param')
  })
})
