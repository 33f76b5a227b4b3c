import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { Api, createTenant, uploadForm } from '../support/api.ts'
import { createPostgresDatabase, sharedServer } from '../support/databases.ts'
import { Receiver, verified } from '../support/receiver.ts'
import { startServer } from '../support/server.ts'

describe('webhooks of several servers on one PostgreSQL', () => {
  it('get each delivery once, also if one server was killed', async () => {
    const env = {
      DATABASE_URL: await createPostgresDatabase(),
      CAIRN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      CAIRN_ALLOW_INSECURE_ISSUERS: 'true',
      CAIRN_JOB_LEASE_SECONDS: '2',
    }
    const receiver = await Receiver.start()
    const servers = await Promise.all([startServer({ env }), startServer({ env })])
    const [first, second] = servers
    try {
      const tenant = await createTenant(first.url)
      const webhooks = `/v1/console/projects/${tenant.projectId}/webhooks`
      const { webhook_id, secret } = (
        await Api.admin(first.url).ok('POST', webhooks, { url: receiver.url('/') })
      ).body
      for (let n = 0; n < 20; n++) {
        const chat = new Api((n % 2 === 0 ? first : second).url, tenant.chat.credential)
        await chat.ok(
          'POST',
          `/v1/${tenant.chatId}/upload_with_scopes`,
          uploadForm(`${n}.txt`, `Number ${n}.`),
        )
      }
      const calls = await receiver.wait('/', 20)
      for (const call of calls) verified(secret, call)
      await pause(1_500)
      expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
      expect(receiver.calls).toHaveLength(20)

      receiver.answer = (_, number) => (number === 21 ? 'nothing' : 204)
      await Api.admin(first.url).ok('POST', `/v1/console/webhooks/${webhook_id}/test`)
      await receiver.wait('/', 21)
      await first.kill()
      const taken = await receiver.wait('/', 22, 40_000)
      expect(taken[21]?.headers['webhook-id']).toBe(taken[20]?.headers['webhook-id'])
    } finally {
      await Promise.all(servers.map((each) => each.stop()))
      receiver.stop()
    }
  })
})

describe('webhooks under the rules of production', () => {
  it('are not sent to a host name with a private address, and the error does not disclose the address', async () => {
    const name = hostname()
    const { address } = await lookup(name)
    const server = sharedServer('SQLite')
    const { projectId } = await createTenant(server.url)
    const admin = Api.admin(server.url)
    const url = `https://${name}:${new URL(server.url).port}/`
    const { webhook_id } = (await admin.ok('POST', `/v1/console/projects/${projectId}/webhooks`, { url }))
      .body
    await admin.ok('POST', `/v1/console/webhooks/${webhook_id}/test`)
    const delivery = await vi.waitFor(async () => {
      const [newest] = (await admin.ok('GET', `/v1/console/webhooks/${webhook_id}/deliveries`)).body
      expect(newest).toMatchObject({ attempt: 1, status: 'pending', response_status: null })
      return newest
    }, 40_000)
    expect(delivery.error).toContain('public address')
    expect(delivery.error).not.toContain(address)
    const wait = Date.parse(delivery.next_try_at) - Date.parse(delivery.last_try_at)
    expect(wait).toBeGreaterThan(4_000)
    expect(wait).toBeLessThan(20_000)
  })
})
