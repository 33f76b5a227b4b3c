import type { Selectable } from 'kysely'
import { type Db, newestFirst, outcomeOf, type Tables } from '../../db/index.ts'
import { enqueue, withdraw } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { inProject, isOfLiveProject } from '../access/index.ts'
import { type DeliveryJob, deliveryQueue, eventRow, jobIdOf, type NewEvent } from './store.ts'

export type WebhookRow = Tables['webhooks']
export type DeliveryRow = Tables['webhook_deliveries'] & { type: string }

/** The rows that an attempt needs. */
export interface DueDelivery {
  delivery: Tables['webhook_deliveries']
  webhook: WebhookRow
  event: Tables['events']
}

type DeliveryResult = Pick<
  Tables['webhook_deliveries'],
  'status' | 'attempts' | 'response_status' | 'error' | 'duration_ms' | 'last_try_at' | 'next_try_at'
>

export type WebhookStore = ReturnType<typeof createWebhookStore>

export function createWebhookStore(db: Db) {
  function find(webhookId: string): Promise<WebhookRow | undefined> {
    return db.read
      .selectFrom('webhooks')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where(isOfLiveProject('webhooks'))
      .executeTakeFirst()
  }

  function deliveries(projectId: string, webhookId: string) {
    return db.read
      .selectFrom('webhook_deliveries')
      .innerJoin('events', (join) =>
        join
          .onRef('events.project_id', '=', 'webhook_deliveries.project_id')
          .onRef('events.event_id', '=', 'webhook_deliveries.event_id'),
      )
      .selectAll('webhook_deliveries')
      .select('events.type')
      .where('webhook_deliveries.project_id', '=', projectId)
      .where('webhook_deliveries.webhook_id', '=', webhookId)
  }

  return {
    find,

    insert(row: WebhookRow): Promise<'inserted' | 'no_project'> {
      return inProject(db, row.project_id, async (trx) => {
        await trx.insertInto('webhooks').values(row).execute()
        return 'inserted'
      })
    },

    list(projectId: string): Promise<WebhookRow[]> {
      return db.read
        .selectFrom('webhooks')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('created_at')
        .orderBy('webhook_id')
        .execute()
    },

    /** Returns false if the webhook does not exist. */
    async update(webhookId: string, values: Partial<WebhookRow>): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.updateTable('webhooks').set(values).where('webhook_id', '=', webhookId).executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /**
     * Replaces the secret by a new one (both encrypted). The replaced secret also signs until `previousUntil` (epoch ms).
     * Returns false if the webhook does not exist.
     */
    async rotateSecret(webhookId: string, secret: string, previousUntil: number): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .updateTable('webhooks')
          .set((eb) => ({ previous_secret: eb.ref('secret'), previous_secret_until: previousUntil, secret }))
          .where('webhook_id', '=', webhookId)
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Deletes a webhook; the foreign key cascades to its deliveries. A job without its delivery does nothing. */
    async delete(webhookId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('webhooks').where('webhook_id', '=', webhookId).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** Writes an event with a delivery only to this webhook, regardless of its event types. */
    async insertTest(webhookId: string, event: NewEvent): Promise<DeliveryRow | 'no_webhook'> {
      const row = eventRow(event)
      const delivery: Selectable<Tables['webhook_deliveries']> = {
        project_id: row.project_id,
        delivery_id: `dlv_${row.event_id.slice('evt_'.length)}${webhookId.slice('whk_'.length)}`,
        webhook_id: webhookId,
        event_id: row.event_id,
        status: 'pending',
        attempts: 0,
        response_status: null,
        error: null,
        duration_ms: null,
        last_try_at: null,
        next_try_at: row.created_at,
        created_at: row.created_at,
      }
      const work = () =>
        db.transaction(async (trx) => {
          await trx.insertInto('events').values(row).execute()
          await trx.insertInto('webhook_deliveries').values(delivery).execute()
          await enqueue(trx, jobOf(delivery))
          return { ...delivery, type: row.type }
        })
      return outcomeOf(work, { missing: 'no_webhook' as const })
    },

    /** Newest first. */
    listDeliveries(projectId: string, webhookId: string, page: Page): Promise<DeliveryRow[]> {
      const order = ['webhook_deliveries.created_at', 'webhook_deliveries.delivery_id'] as const
      return newestFirst(deliveries(projectId, webhookId), order, page).execute()
    },

    findDelivery(projectId: string, webhookId: string, deliveryId: string): Promise<DeliveryRow | undefined> {
      return deliveries(projectId, webhookId).where('delivery_id', '=', deliveryId).executeTakeFirst()
    },

    /** Queues a delivery again, for an attempt now. If an attempt is running, nothing changes. */
    async requeue(projectId: string, deliveryId: string): Promise<void> {
      const now = Date.now()
      await db.transaction(async (trx) => {
        await withdraw(trx, jobIdOf(deliveryId))
        const job = jobOf({ project_id: projectId, delivery_id: deliveryId })
        if (!(await enqueue(trx, job))) return
        await trx
          .updateTable('webhook_deliveries')
          .set({ status: 'pending', attempts: 0, next_try_at: now })
          .where('project_id', '=', projectId)
          .where('delivery_id', '=', deliveryId)
          .execute()
      })
    },

    /** Returns undefined if the webhook or the project has been deleted. */
    async findDue({ project_id, delivery_id }: DeliveryJob): Promise<DueDelivery | undefined> {
      const delivery = await db.read
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('project_id', '=', project_id)
        .where('delivery_id', '=', delivery_id)
        .executeTakeFirst()
      if (!delivery) return undefined
      const webhook = await find(delivery.webhook_id)
      const event = await db.read
        .selectFrom('events')
        .selectAll()
        .where('project_id', '=', project_id)
        .where('event_id', '=', delivery.event_id)
        .executeTakeFirst()
      return webhook && event ? { delivery, webhook, event } : undefined
    },

    /**
     * Stores the result of an attempt. With `disableReason`, it also disables the webhook, unless its address has changed
     * since the attempt.
     */
    async recordAttempt(
      { delivery: { project_id, delivery_id }, webhook: { webhook_id, url } }: DueDelivery,
      result: DeliveryResult,
      disableReason: string | undefined,
    ): Promise<void> {
      await db.transaction(async (trx) => {
        await trx
          .updateTable('webhook_deliveries')
          .set(result)
          .where('project_id', '=', project_id)
          .where('delivery_id', '=', delivery_id)
          .execute()
        if (disableReason === undefined) return
        await trx
          .updateTable('webhooks')
          .set({ enabled: 0, disabled_reason: disableReason })
          .where('webhook_id', '=', webhook_id)
          .where('url', '=', url)
          .execute()
      })
    },
  }
}

function jobOf({ project_id, delivery_id }: DeliveryJob) {
  const payload: DeliveryJob = { project_id, delivery_id }
  return { jobId: jobIdOf(delivery_id), queue: deliveryQueue, projectId: project_id, payload }
}
