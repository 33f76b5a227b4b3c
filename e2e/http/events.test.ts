import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, createWebhook, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

describe.each(sharedServers)('the event log, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant
  let other: Tenant
  let events: string

  beforeAll(async () => {
    admin = Api.admin(server.url)
    tenant = await createTenant(server.url)
    other = await createTenant(server.url)
    events = `/v1/${tenant.projectId}/events`
  })

  const upload = (name: string, text: string, by = tenant) =>
    by.chat.post(`/v1/${by.chatId}/upload_with_scopes`, uploadForm(name, text))

  it('is empty at first', async () => {
    expect(await tenant.project.get(events)).toMatchObject({ status: 200, body: [] })
  })

  it('contains an event per uploaded file, but none for a duplicate or a rejected file', async () => {
    const from = Date.now()
    const { body: file } = await upload('Ünïcode & "quotes".md', '# A title\n\nSome text.')
    expect((await upload('again.md', '# A title\n\nSome text.')).body.duplicate).toBe(true)
    expect((await upload('empty.md', '')).status).toBe(400)
    expect((await upload('tool.exe', 'MZ')).status).toBe(415)
    const { body } = await tenant.project.get(events)
    expect(body).toEqual([
      {
        event_id: expect.stringMatching(/^evt_[0-9a-z]{20}$/),
        type: 'file_uploaded',
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        data: {
          chat_id: tenant.chatId,
          file_id: file.file_id,
          filename: file.filename,
          size_bytes: file.size_bytes,
          file_type: 'md',
          processing_ms: expect.any(Number),
          chunk_count: file.chunk_count,
          timestamp: expect.any(Number),
        },
      },
    ])
    const [{ created_at, data }] = body
    expect(Date.parse(created_at)).toBe(data.timestamp)
    expect(data.timestamp).toBeGreaterThanOrEqual(from)
    expect(data.timestamp).toBeLessThanOrEqual(Date.now())
    expect(data.processing_ms).toBeGreaterThanOrEqual(0)
    expect(data.processing_ms).toBeLessThanOrEqual(Date.now() - from)
  })

  it('is the same for the administrator, and hidden from another project', async () => {
    const { body } = await tenant.project.get(events)
    expect((await admin.get(`/v1/console/projects/${tenant.projectId}/events`)).body).toEqual(body)
    expect((await other.project.get(`/v1/${other.projectId}/events`)).body).toEqual([])
    expectRefusal(await other.project.get(events), { status: 403, project: true })
    expectRefusal(await tenant.chat.get(events), { status: 403, project: true })
  })

  it('is listed newest first, in pages, each event once', async () => {
    for (let n = 0; n < 6; n++) await upload(`page-${n}.txt`, `Page number ${n}.`)
    const { body: all, headers } = await tenant.project.get(events)
    expect(headers.get('x-next-cursor')).toBeNull()
    expect(all.map(({ data }: { data: { filename: string } }) => data.filename).slice(0, 6)).toEqual(
      [5, 4, 3, 2, 1, 0].map((n) => `page-${n}.txt`),
    )
    for (const base of [events, `/v1/console/projects/${tenant.projectId}/events`]) {
      const api = base === events ? tenant.project : admin
      const pages: unknown[][] = []
      for (let path: string | undefined = `${base}?limit=3&type=file_uploaded`; path; ) {
        const page = await api.ok('GET', path)
        pages.push(page.body)
        const [, next] = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
        const cursor = page.headers.get('x-next-cursor')
        expect(next === undefined).toBe(cursor === null)
        if (next) expect(new URL(next, server.url).searchParams.get('cursor')).toBe(cursor)
        path = next
      }
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
      expect(pages.flat()).toEqual(all)
    }
  })

  it('is filtered by types, repeated or comma-separated', async () => {
    await createWebhook(server.url, tenant.projectId)
    const typesOf = async (query: string) => {
      const { body } = await tenant.project.ok('GET', `${events}?${query}`)
      return [...new Set(body.map(({ type }: { type: string }) => type))].toSorted()
    }
    expect(await typesOf('type=webhook_test')).toEqual(['webhook_test'])
    expect(await typesOf('type=file_uploaded')).toEqual(['file_uploaded'])
    expect(await typesOf('type=run_failed,version_published')).toEqual([])
    const both = ['file_uploaded', 'webhook_test']
    expect(await typesOf('type=webhook_test,%20file_uploaded')).toEqual(both)
    expect(await typesOf('type=webhook_test&type=file_uploaded')).toEqual(both)
    expect(await typesOf('')).toEqual(both)
  })

  it('is filtered by time, start inclusive and end exclusive', async () => {
    const { body: all } = await tenant.project.get(`${events}?limit=1000`)
    const times: number[] = all.map(({ created_at }: { created_at: string }) => Date.parse(created_at))
    const middle = times[3] ?? 0
    const at = new Date(middle).toISOString()
    const count = async (query: string) => (await tenant.project.ok('GET', `${events}?${query}`)).body.length
    expect(await count(`start_date=${at}`)).toBe(times.filter((time) => time >= middle).length)
    expect(await count(`end_date=${at}`)).toBe(times.filter((time) => time < middle).length)
    expect(await count(`start_date=${at}&end_date=${at}`)).toBe(0)
    expect(await count('start_date=2100-01-01')).toBe(0)
  })

  it.each([
    ['type=nope', 'type'],
    ['type=', 'type'],
    ['type=file_uploaded,', 'type'],
    ['type=file_uploaded&type=FILE_UPLOADED', 'type'],
    ['type=%00', 'type'],
    ['start_date=yesterday', 'start_date'],
    ['end_date=2024-02-30', 'end_date'],
    ['start_date=2024-02-02&end_date=2024-02-01', 'start_date'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('1.trc_00000000000000000000').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from("1.evt_' or 1=1").toString('base64url')}`, 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
  ])('rejects ?%s with the name %s', async (query, names) => {
    expectRefusal(await tenant.project.get(`${events}?${query}`), { status: 400, project: true, names })
    const console = await admin.get(`/v1/console/projects/${tenant.projectId}/events?${query}`)
    expectRefusal(console, { status: 400, project: false, names })
  })

  it('contains the previous version of each activated version', async () => {
    const { project, projectId } = await createTenant(server.url)
    const versions = `/v1/${projectId}/versions`
    const publish = async (version: string): Promise<string> =>
      (await project.ok('POST', versions, { version })).body.version_id
    const rollBack = (id: string) => project.ok('POST', `${versions}/${id}/rollback`)
    const [first, second] = [await publish('1.0.0'), await publish('2.0.0')]
    await rollBack(first)
    const third = await publish('3.0.0')
    await rollBack(second)
    await rollBack(second)
    const { body } = await project.ok('GET', `/v1/${projectId}/events`)
    const told = body.map(({ type, data }: { type: string; data: Record<string, string | null> }) => [
      type,
      data.version_id,
      data.version,
      data.previous_version_id,
    ])
    expect(told.toReversed()).toEqual([
      ['version_published', first, '1.0.0', null],
      ['version_published', second, '2.0.0', first],
      ['version_rolled_back', first, '1.0.0', second],
      ['version_published', third, '3.0.0', first],
      ['version_rolled_back', second, '2.0.0', third],
      ['version_rolled_back', second, '2.0.0', second],
    ])
  })

  it('is deleted with its project', async () => {
    const gone = await createTenant(server.url)
    await upload('gone.txt', 'Soon gone.', gone)
    await createWebhook(server.url, gone.projectId)
    await admin.ok('DELETE', `/v1/console/projects/${gone.projectId}`)
    expectRefusal(await admin.get(`/v1/console/projects/${gone.projectId}/events`), {
      status: 404,
      names: 'project',
    })
  })
})
