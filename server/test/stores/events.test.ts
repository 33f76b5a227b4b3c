import { expect, it } from 'vitest'
import {
  createEventStore,
  createWebhookStore,
  deliveryQueue,
  eventStatements,
  type NewEvent,
  recordEvent,
} from '../../src/domains/events/index.ts'
import type { WebhookRow } from '../../src/domains/events/store-webhooks.ts'
import { createJobStore } from '../../src/jobs/index.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, addProject, deleteProject, newDocument } from '../rows.ts'

function webhookRow(project_id: string, values: Partial<WebhookRow> = {}): WebhookRow {
  return {
    webhook_id: newId('whk_'),
    project_id,
    url: 'https://hooks.invalid/',
    event_types: '["*"]',
    description: '',
    enabled: 1,
    disabled_reason: null,
    secret: 'v1.sealed',
    previous_secret: null,
    previous_secret_until: null,
    created_at: Date.now(),
    ...values,
  }
}

function published(projectId: string, createdMs = Date.now(), version = '1.0.0'): NewEvent {
  const data = { version_id: newId('ver_'), version, previous_version_id: null, timestamp: createdMs }
  return { projectId, type: 'version_published', createdMs, data }
}

describeEachDatabase('the events and webhooks stores', (database) => {
  const events = () => createEventStore(database.db)
  const webhooks = () => createWebhookStore(database.db)
  const record = (event: NewEvent) => database.db.transaction((trx) => recordEvent(trx, event))
  const all = { limit: 100, after: undefined }

  async function addWebhook(projectId: string, values: Partial<WebhookRow> = {}): Promise<string> {
    const row = webhookRow(projectId, values)
    await webhooks().insert(row)
    return row.webhook_id
  }

  async function jobsOf(projectId: string) {
    const rows = await database.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('queue', '=', deliveryQueue)
      .execute()
    return rows.filter(({ payload }) => payload.includes(projectId))
  }

  it('write an event with a delivery and a job for each enabled and subscribed webhook', async () => {
    const [projectId, other] = [await addProject(database.db), await addProject(database.db)]
    const wanting = [
      await addWebhook(projectId),
      await addWebhook(projectId, { event_types: '["run_failed","version_published"]' }),
    ]
    const bystanders = [
      await addWebhook(projectId, { event_types: '["run_failed"]' }),
      await addWebhook(projectId, { enabled: 0 }),
      await addWebhook(other),
    ]
    const event = published(projectId, 1_700_000_000_000, '1.0.0+\'"\0😀')
    await record(event)
    const [row] = await events().list(projectId, {}, all)
    expect(row).toMatchObject({ type: 'version_published', created_at: 1_700_000_000_000 })
    expect(JSON.parse(row?.data ?? '')).toEqual(event.data)
    for (const webhookId of wanting) {
      const [delivery, ...others] = await webhooks().listDeliveries(projectId, webhookId, all)
      expect(others).toEqual([])
      expect(delivery).toMatchObject({
        delivery_id: `dlv_${row?.event_id.slice(4)}${webhookId.slice(4)}`,
        event_id: row?.event_id,
        type: 'version_published',
        status: 'pending',
        attempts: 0,
        next_try_at: 1_700_000_000_000,
        response_status: null,
        error: null,
      })
      const payload = { project_id: projectId, delivery_id: delivery?.delivery_id ?? '' }
      const due = await webhooks().findDue(payload)
      expect([due?.webhook.webhook_id, due?.event.event_id]).toEqual([webhookId, row?.event_id])
      expect((await jobsOf(projectId)).map((job) => JSON.parse(job.payload))).toContainEqual(payload)
    }
    for (const webhookId of bystanders) {
      for (const project of [projectId, other]) {
        expect(await webhooks().listDeliveries(project, webhookId, all)).toEqual([])
      }
    }
    const jobs = await jobsOf(projectId)
    expect(jobs).toHaveLength(2)
    for (const job of jobs) {
      expect(job).toMatchObject({
        status: 'queued',
        attempts: 0,
        lock_token: null,
        run_at: 1_700_000_000_000,
      })
    }
    const claimed = await createJobStore(database.db).claim(deliveryQueue, [{ projectId, most: 100 }], 1_000)
    expect(claimed.map(({ jobId }) => jobId)).toEqual(
      expect.arrayContaining(jobs.map(({ job_id }) => job_id)),
    )
  })

  it('write an event with its deliveries and jobs, or nothing', async () => {
    const projectId = await addProject(database.db)
    await addWebhook(projectId)
    const failing = database.db.transaction(async (trx) => {
      await recordEvent(trx, published(projectId))
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect([await events().list(projectId, {}, all), await jobsOf(projectId)]).toEqual([[], []])
  })

  it('write a document and its event together, or neither', async () => {
    const chatId = await addChat(database.db)
    const projectId = (await documentStores(database.db).documents.findProject(chatId)) ?? ''
    expect(await documentStores(database.db).documents.findProject('chatnone')).toBeUndefined()
    const webhookId = await addWebhook(projectId)
    const insert = (fileId: string) =>
      documentStores(database.db).documents.insert(
        newDocument(chatId, ['a'], { fileId }),
        published(projectId),
      )
    await insert('file')
    expect(await insert('file')).toBe('taken')
    expect(await events().list(projectId, {}, all)).toHaveLength(1)
    expect(await webhooks().listDeliveries(projectId, webhookId, all)).toHaveLength(1)
    await database.db.insertAll([], eventStatements(database.db.read, published(projectId)))
    expect(await events().list(projectId, {}, all)).toHaveLength(2)
  })

  it('list newest first within one project, by type, time and position', async () => {
    const [projectId, other] = [await addProject(database.db), await addProject(database.db)]
    for (const createdMs of [3000, 1000, 2000, 2000]) await record(published(projectId, createdMs))
    await record(published(other, 2000))
    const times = async (conditions: object, page = all) =>
      (await events().list(projectId, conditions, page)).map(({ created_at }) => created_at)
    expect(await times({})).toEqual([3000, 2000, 2000, 1000])
    expect(await times({ startMs: 2000, endMs: 3000 })).toEqual([2000, 2000])
    expect(await times({ types: ['run_failed'] })).toEqual([])
    expect(await times({ types: ['run_failed', 'version_published'] })).toHaveLength(4)
    const rows = await events().list(projectId, {}, { limit: 2, after: undefined })
    const after = { ms: rows[1]?.created_at ?? 0, id: rows[1]?.event_id ?? '' }
    const rest = await events().list(projectId, {}, { limit: 9, after })
    expect(rest.map(({ created_at }) => created_at)).toEqual([2000, 1000])
    expect(new Set([...rows, ...rest].map(({ event_id }) => event_id)).size).toBe(4)
  })

  async function insertTest(webhookId: string, event: NewEvent) {
    const row = await webhooks().insertTest(webhookId, event)
    if (row === 'no_webhook') throw new Error('there is no such webhook')
    return row
  }

  it('queue a delivery again, except during an attempt', async () => {
    const projectId = await addProject(database.db)
    const webhookId = await addWebhook(projectId)
    const event = { webhook_id: webhookId, timestamp: 1 }
    const { delivery_id } = await insertTest(webhookId, {
      projectId,
      type: 'webhook_test',
      data: event,
    })
    const due = await webhooks().findDue({ project_id: projectId, delivery_id })
    if (!due) throw new Error('not due')
    const failed = { response_status: 500, error: 'no', duration_ms: 1.5, last_try_at: 5, next_try_at: null }
    await webhooks().recordAttempt(due, { ...failed, status: 'failed', attempts: 4 }, undefined)
    const find = () => webhooks().findDelivery(projectId, webhookId, delivery_id)
    const [job] = await createJobStore(database.db)
      .claim(deliveryQueue, [{ projectId, most: 100 }], 60_000)
      .then((jobs) => jobs.filter(({ payload }) => JSON.stringify(payload).includes(projectId)))
    if (!job) throw new Error('no job')
    await webhooks().requeue(projectId, delivery_id)
    expect(await find()).toMatchObject({ status: 'failed', attempts: 4, duration_ms: 1.5 })
    await createJobStore(database.db).finish(job)
    await webhooks().requeue(projectId, delivery_id)
    expect(await find()).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await jobsOf(projectId)).toHaveLength(1)
    expect(
      await webhooks().findDelivery(await addProject(database.db), webhookId, delivery_id),
    ).toBeUndefined()
  })

  it('disable a webhook with an attempt that requires it, unless its address has changed', async () => {
    const projectId = await addProject(database.db)
    const webhookId = await addWebhook(projectId)
    const data = { webhook_id: webhookId, timestamp: 1 }
    const { delivery_id } = await insertTest(webhookId, { projectId, type: 'webhook_test', data })
    const due = await webhooks().findDue({ project_id: projectId, delivery_id })
    if (!due) throw new Error('not due')
    const result = {
      status: 'failed',
      attempts: 1,
      response_status: 410,
      error: 'gone',
      duration_ms: 1,
    } as const
    const times = { last_try_at: 1, next_try_at: null }
    await webhooks().update(webhookId, { url: 'https://moved.invalid/' })
    await webhooks().recordAttempt(due, { ...result, ...times }, 'gone')
    expect(await webhooks().find(webhookId)).toMatchObject({ enabled: 1, disabled_reason: null })
    await webhooks().update(webhookId, { url: due.webhook.url })
    await webhooks().recordAttempt(due, { ...result, ...times }, 'gone')
    expect(await webhooks().find(webhookId)).toMatchObject({ enabled: 0, disabled_reason: 'gone' })
  })

  it('keep the previous secret after a rotation', async () => {
    const webhookId = await addWebhook(await addProject(database.db))
    expect(await webhooks().rotateSecret(webhookId, 'v1.second', 5_000)).toBe(true)
    const row = { secret: 'v1.second', previous_secret: 'v1.sealed', previous_secret_until: 5_000 }
    expect(await webhooks().find(webhookId)).toMatchObject(row)
    expect(await webhooks().rotateSecret('whk_none', 'v1.x', 1)).toBe(false)
  })

  it('delete deliveries with their webhook or project', async () => {
    const projectId = await addProject(database.db)
    const [first, second] = [await addWebhook(projectId), await addWebhook(projectId)]
    await record(published(projectId))
    expect(await webhooks().delete(first)).toBe(true)
    expect(await webhooks().delete(first)).toBe(false)
    expect(await webhooks().listDeliveries(projectId, first, all)).toEqual([])
    expect(await webhooks().listDeliveries(projectId, second, all)).toHaveLength(1)
    expect(await events().list(projectId, {}, all)).toHaveLength(1)
    const [job] = (await jobsOf(projectId)).filter(({ job_id }) => job_id.endsWith(first.slice(4)))
    expect(await webhooks().findDue(JSON.parse(job?.payload ?? ''))).toBeUndefined()
    await deleteProject(database.db, projectId)
    expect(await webhooks().find(second)).toBeUndefined()
    expect(await events().list(projectId, {}, all)).toEqual([])
  })
})
