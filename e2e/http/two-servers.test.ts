import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { asUser, registerApp } from '../support/applications.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { type Server, startServer } from '../support/server.ts'

const people = Array.from({ length: 50 }, (_, index) => `person-${index}`)
const query = (question: string) =>
  new URLSearchParams({ messages: JSON.stringify([{ role: 'user', content: question }]) })

describe('two servers on one PostgreSQL', () => {
  let issuer: Issuer
  let servers: Server[]
  let tenant: Tenant

  beforeAll(async () => {
    issuer = await startIssuer()
    const env = { DATABASE_URL: await createPostgresDatabase(), CAIRN_ENCRYPTION_KEY: '00'.repeat(32) }
    servers = [await startServer({ env })]
    servers.push(await startServer({ env }))
    tenant = await createTenant(at(0))
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
    await issuer?.close()
    for (const server of servers ?? []) expect(server.output()).not.toMatch(/"level":50/)
  })

  const at = (index: number) => servers[index % 2]?.url ?? ''

  // Concurrent with the test below, because it mostly waits.
  it.concurrent('accept a key that the other one has revoked for at most six seconds, even if it is used often', async () => {
    const keys = `/v1/console/chats/${tenant.chatId}/keys`
    const { api_key, key_id } = (await Api.admin(at(0)).ok('POST', keys)).body
    const caller = new Api(at(1)).withKey(api_key)
    const use = async () => (await caller.get(`/v1/${tenant.chatId}/info`)).status
    expect(await use()).toBe(200)
    await Api.admin(at(0)).ok('DELETE', `/v1/console/keys/${key_id}`)
    const over = performance.now() + 6_000
    let isLast = false
    for (let status = 200; status === 200 && !isLast; ) {
      await pause(100)
      isLast = performance.now() > over
      status = await use()
      if (status !== 200 || isLast) expect(status).toBe(401)
    }
  })

  it.concurrent('create 50 users and 50 chats for 200 concurrent first calls, each with a correct response', async () => {
    const { app_id: appId } = await registerApp(at(0), issuer.url, { chat_id: tenant.chatId })
    const tokens = await Promise.all(people.map((person) => issuer.token(person)))
    // Four calls per person: two servers, and two kinds of first calls.
    const calls = people.flatMap((person, index) => {
      const user = (server: number) => asUser(at(server), appId, tokens[index] ?? '')
      const note = uploadForm('note.txt', `The favourite number of ${person} is ${index + 1000}.`)
      return [
        { person, kind: 'profile', call: () => user(0).call('GET', '/v1/me/profile') },
        { person, kind: 'profile', call: () => user(1).call('GET', '/v1/me/profile') },
        { person, kind: 'upload', call: () => user(index).post('/v1/me/chats/files/upload', note) },
        { person, kind: 'query', call: () => user(index + 1).post('/v1/me/chats/query', query('Why?')) },
      ]
    })
    const answers = await Promise.all(
      calls.map(async ({ call, ...asked }) => ({ ...asked, answer: await call() })),
    )
    expect(answers.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.text)).toEqual([])
    const identities = new Map(people.map((person) => [person, new Set<string>()]))
    for (const { person, answer } of answers) {
      const { user_id, chat_id } = answer.body
      identities.get(person)?.add(`${user_id} ${chat_id}`)
    }
    expect([...identities.values()].map(({ size }) => size)).toEqual(people.map(() => 1))
    expect(new Set([...identities.values()].flatMap((set) => [...set])).size).toBe(people.length)
    for (const { person, kind, answer } of answers) {
      if (kind === 'profile') expect(answer.body.external_user_id).toBe(person)
      if (kind === 'query') expect(answer.body.v1_auth.external_user_id).toBe(person)
    }
    // At most one call per user reports the creation of the chat.
    for (const person of people) {
      const made = answers.filter((given) => given.person === person && given.answer.body.subchat_created)
      expect(made.length).toBeLessThanOrEqual(1)
    }
    const { body: app } = await Api.admin(at(1)).ok('GET', `/v1/console/apps/${appId}`)
    expect(app).toMatchObject({ users: people.length, files: people.length })
    const { body: users } = await Api.admin(at(0)).ok('GET', `/v1/console/apps/${appId}/users?limit=100`)
    expect(new Set(users.map(({ chat_id }: { chat_id: string }) => chat_id)).size).toBe(people.length)
    const last = asUser(at(0), appId, tokens[49] ?? '')
    const { body } = await last.ok(
      'POST',
      '/v1/me/chats/query',
      query('What is the favourite number of person-49?'),
    )
    expect(body.answer).toContain('1049')
  })
})
