import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'

const upload = async ({ chat, chatId }: Tenant, name: string, text: string): Promise<string> =>
  (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(name, text))).body.file_id

const found = async ({ chat, chatId }: Tenant, query: string): Promise<string[]> => {
  const { results } = (await chat.ok('POST', `/v1/${chatId}/search`, { query, limit: 100 })).body
  return results.map(({ chunk_text }: { chunk_text: string }) => chunk_text).sort()
}

describe.each(databases)('indexes that do not fit into memory together, on $database', ({ env }) => {
  let server: Server
  let tenants: Tenant[]

  beforeAll(async () => {
    // The least that can be set: every chat's index pushes out the one before.
    server = await startServer({ env: { ...(await env()), CAIRN_INDEX_BYTES: '1024' } })
    tenants = await Promise.all(Array.from({ length: 4 }, () => createTenant(server.url)))
  })
  afterAll(() => server?.stop())

  it('are loaded again when they are asked, as they are by then', async () => {
    for (const round of [1, 2, 3]) {
      for (const [number, tenant] of tenants.entries()) {
        await upload(tenant, `note-${round}.txt`, `Copper of chat ${number}, round ${round}.`)
        await upload(tenant, `other-${round}.txt`, `Lantern of chat ${number}, round ${round}.`)
      }
      const answers = await Promise.all(
        tenants.flatMap((tenant) => [found(tenant, 'copper'), found(tenant, 'lantern')]),
      )
      const rounds = Array.from({ length: round }, (_, index) => index + 1)
      expect(answers).toEqual(
        tenants.flatMap((_, number) =>
          ['Copper', 'Lantern'].map((word) =>
            rounds.map((each) => `${word} of chat ${number}, round ${each}.`),
          ),
        ),
      )
    }
  })

  it('answer many questions at once while files come and go', async () => {
    const [tenant] = tenants
    if (!tenant) throw new Error('no tenant')
    const work = async (number: number) => {
      const id = await upload(tenant, `fleeting-${number}.txt`, `Orchard number ${number}.`)
      expect(await found(tenant, 'orchard')).toContain(`Orchard number ${number}.`)
      await tenant.chat.ok('DELETE', `/v1/${tenant.chatId}/files/${id}`)
      expect(await found(tenant, 'orchard')).not.toContain(`Orchard number ${number}.`)
    }
    await Promise.all(Array.from({ length: 12 }, (_, number) => work(number)))
    expect(await found(tenant, 'orchard')).toEqual([])
  })
})

const shared = databases.filter(({ database }) => database === 'PostgreSQL')

describe.each(shared)('two servers over one database, on $database', ({ env }) => {
  let servers: Server[]
  let tenant: Tenant
  let other: Tenant

  beforeAll(async () => {
    const environment = await env()
    const first = await startServer({ env: environment })
    servers = [first, await startServer({ env: environment })]
    tenant = await createTenant(first.url)
    other = { ...tenant, chat: new Api(servers[1]?.url ?? '').withKey(tenant.chatKey) }
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
  })

  it('each sees at its next question what the other one has stored, changed and deleted', async () => {
    expect(await found(other, 'harbour')).toEqual([])
    for (const round of [1, 2, 3]) {
      const id = await upload(round % 2 === 0 ? other : tenant, `note-${round}.txt`, 'The harbour is closed.')
      expect(await found(tenant, 'harbour')).toEqual(['The harbour is closed.'])
      expect(await found(other, 'harbour')).toEqual(['The harbour is closed.'])
      const { nodes } = (await Api.admin(other.chat.url).ok('GET', `/graph_data/${tenant.chatId}`)).body
      const chunk = nodes.find(({ labels }: { labels: string[] }) => labels.includes('Chunk'))
      await Api.admin(other.chat.url).ok('PUT', `/update_node/${chunk.id}`, { text: 'The meadow is open.' })
      expect(await found(tenant, 'harbour')).toEqual([])
      expect(await found(tenant, 'meadow')).toEqual(['The meadow is open.'])
      await tenant.chat.ok('DELETE', `/v1/${tenant.chatId}/files/${id}`)
      expect(await found(other, 'meadow')).toEqual([])
    }
  })
})
