import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ask, upload } from '../support/answers.ts'
import { createTenant, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { StubProvider } from '../support/provider.ts'
import { type Server, startServer } from '../support/server.ts'

const question = 'How many books may a member borrow?'

describe.each(oneDatabase)('answers by models that do not respond, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let stuck: Tenant
  let other: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    stub.script = ({ body }) =>
      JSON.stringify(body).includes('STUCK') ? { ending: 'hang' } : { pieces: ['Twelve [^0].'] }
    const environment = { ...(await env()), ...stub.env('openai'), CAIRN_MAX_MODEL_ANSWERS: '2' }
    server = await startServer({ env: environment })
    ;[stuck, other] = [await createTenant(server.url), await createTenant(server.url)]
    for (const tenant of [stuck, other])
      await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('only use the places of their project; questions of other projects are answered', async () => {
    const leaving = new AbortController()
    const refused: Response[] = []
    const asked = Array.from({ length: 5 }, async () => {
      const answer = await fetch(`${server.url}/v1/${stuck.chatId}/answer_question`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stuck.chatKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question: `${question} STUCK` }),
        signal: leaving.signal,
      })
      refused.push(answer)
    })
    const left = Promise.allSettled(asked)
    await vi.waitFor(() => expect([stub.calls.length, refused.length]).toEqual([2, 1]), { timeout: 10_000 })
    expect(refused[0]?.status).toBe(429)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused[0]?.text()).toContain('CAIRN_MAX_MODEL_ANSWERS')

    expect((await ask(other, question)).body.answer).toBe('Twelve [^0].')
    expect(stub.calls).toHaveLength(3)

    leaving.abort()
    await left
    // Clients that disconnect free their running and waiting places.
    for (let n = 0; n < 3; n++) expect((await ask(stuck, question)).body.answer).toBe('Twelve [^0].')
  })
})
