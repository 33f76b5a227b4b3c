import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { sampleText } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'
import { rowsBehind } from '../support/tamper.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']
const patience = { timeout: 30_000, interval: 50 }

/** The number of rows in these tables that match a condition, including hidden rows. */
async function countOf(place: Parameters<typeof rowsBehind>[0], tables: readonly string[], where: string) {
  const counts = tables.map((table) => `(select count(*) from ${table} where ${where})`)
  const [row] = await rowsBehind(place, `select ${counts.join(' + ')} as count`)
  return Number(row?.count)
}

const ofChat = ['chat_rows', 'document_rows', 'chunk_rows', 'relationships', 'api_keys']
const ofProject = ['project_rows', 'chat_rows', 'traces', 'trace_bodies', 'trace_labels', 'rollups', 'events']

describe.each(databases)('deletions in steps, on $database', ({ env }) => {
  let place: { dataDir: string; env: Record<string, string> }
  let server: Server
  let admin: Api
  let tenant: Tenant

  const start = async () => {
    server = await startServer(place)
    admin = Api.admin(server.url)
  }
  beforeAll(async () => {
    place = {
      dataDir: await mkdtemp(join(tmpdir(), 'cairn-deletions-')),
      env: { ...(await env()), CAIRN_JOB_LEASE_SECONDS: '1' },
    }
  })
  afterEach(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })
  afterAll(async () => {
    await rm(place.dataDir, { recursive: true, force: true })
  })

  const upload = async (name: string, n: number) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, sampleText(n))))
      .body

  it('a chat that the console deletes is hidden at once, and each of its files gets an event', async () => {
    await start()
    tenant = await createTenant(server.url, all)
    const files = [await upload('a.md', 1), await upload('b.md', 2)]
    await admin.ok('DELETE', `/v1/console/chats/${tenant.chatId}`)
    for (const path of [`/v1/console/chats/${tenant.chatId}`, `/graph_data/${tenant.chatId}`]) {
      expect((await admin.get(path)).status, path).toBe(404)
    }
    expect((await admin.call('DELETE', `/remove_context/${files[0].file_id}`)).status).toBe(404)
    expect((await admin.call('DELETE', `/v1/console/chats/${tenant.chatId}`)).status).toBe(404)
    const told = async () => {
      const { body } = await tenant.project.ok('GET', `/v1/${tenant.projectId}/events?type=file_deleted`)
      return body.map(({ data }: { data: { file_id: string } }) => data.file_id).toSorted()
    }
    await expect.poll(told, patience).toEqual(files.map(({ file_id }) => file_id).toSorted())
    await expect.poll(() => countOf(place, ofChat, `chat_id = '${tenant.chatId}'`), patience).toBe(0)
  })

  it('the deletion of a project continues after a kill and a restart', async () => {
    await start()
    tenant = await createTenant(server.url, all)
    await upload('a.md', 1)
    const traces = Array.from({ length: 500 }, (_, n) => ({ input: `${n}`, output: 'o', tags: ['a', 'b'] }))
    for (let n = 0; n < 6; n++) {
      await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
    }
    const { body: webhook } = await admin.ok('POST', `/v1/console/projects/${tenant.projectId}/webhooks`, {
      url: 'https://hooks.example/cairn',
    })
    await admin.ok('DELETE', `/v1/console/projects/${tenant.projectId}`)
    const named = `project_id = '${tenant.projectId}'`
    expect(await countOf(place, ofProject, named)).toBeGreaterThan(0)
    await server.kill()
    await start()
    for (const path of [
      `projects/${tenant.projectId}`,
      `projects/${tenant.projectId}/chats`,
      `chats/${tenant.chatId}`,
      `webhooks/${webhook.webhook_id}`,
    ]) {
      expect((await admin.get(`/v1/console/${path}`)).status, path).toBe(404)
    }
    for (const path of [`projects/${tenant.projectId}/chats`, `projects/${tenant.projectId}/keys`]) {
      const answer = await admin.call('POST', `/v1/console/${path}`, { body: { title: 'x' } })
      expect(answer.status, path).toBe(404)
    }
    await expect.poll(() => countOf(place, ofProject, named), patience).toBe(0)
  })
})
