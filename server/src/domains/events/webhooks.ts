import {
  CairnError,
  type CreateWebhook,
  type Deleted,
  type Delivery,
  type EventType,
  type ListDeliveriesQuery,
  limits,
  type UpdateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { outgoingUrlProblem, type UrlRules } from '../../lib/public-address.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storable } from '../../lib/storable.ts'
import { toIso, toIsoOrNull } from '../../lib/time.ts'
import type { AccessService } from '../access/index.ts'
import { newWebhookSecret } from './signature.ts'
import type { DeliveryRow, WebhookRow, WebhookStore } from './store-webhooks.ts'

/** Time after a rotation in which deliveries are also signed with the previous secret. */
const rotationMs = 24 * 3600 * 1000

export interface WebhookServiceOptions {
  store: WebhookStore
  access: AccessService
  box: SecretBox
  urlRules: UrlRules
  /** Starts queued deliveries at once. */
  wake: () => void
}

function toWebhook(row: WebhookRow): Webhook {
  const { webhook_id, project_id, url, description, disabled_reason, previous_secret_until } = row
  const isRotating = previous_secret_until !== null && previous_secret_until > Date.now()
  return {
    webhook_id,
    project_id,
    url,
    event_types: JSON.parse(row.event_types) as Webhook['event_types'],
    description,
    enabled: row.enabled === 1,
    disabled_reason,
    previous_secret_until: isRotating ? toIso(previous_secret_until) : null,
    created_at: toIso(row.created_at),
  }
}

function toDelivery(row: DeliveryRow): Delivery {
  const { delivery_id, webhook_id, event_id, status, attempts, response_status, error, duration_ms } = row
  return {
    delivery_id,
    webhook_id,
    event_id,
    type: row.type as EventType,
    status,
    attempt: attempts,
    response_status,
    error,
    duration_ms,
    last_try_at: toIsoOrNull(row.last_try_at),
    next_try_at: toIsoOrNull(row.next_try_at),
    created_at: toIso(row.created_at),
  }
}

function encodeTypes(types: readonly string[]): string {
  return JSON.stringify([...new Set(types)])
}

export class WebhookService {
  readonly #options: WebhookServiceOptions

  constructor(options: WebhookServiceOptions) {
    this.#options = options
  }

  async create(projectId: string, request: CreateWebhook): Promise<WebhookWithSecret> {
    const { store, box } = this.#options
    const webhookId = newId('whk_')
    const secret = newWebhookSecret()
    const row: WebhookRow = {
      webhook_id: webhookId,
      project_id: projectId,
      url: this.#checkedUrl(request.url),
      event_types: encodeTypes(request.event_types ?? ['*']),
      description: storable(request.description ?? ''),
      enabled: 1,
      disabled_reason: null,
      secret: box.seal(secret, webhookId),
      previous_secret: null,
      previous_secret_until: null,
      created_at: Date.now(),
    }
    if ((await store.insert(row)) === 'no_project') throw new CairnError('not_found', 'project not found')
    return { ...toWebhook(row), secret }
  }

  async list(projectId: string): Promise<Webhook[]> {
    await this.#options.access.getProject(projectId)
    return (await this.#options.store.list(projectId)).map(toWebhook)
  }

  async get(webhookId: string): Promise<Webhook> {
    return toWebhook(await this.#find(webhookId))
  }

  /** Enabling a webhook deletes `disabled_reason`. Deliveries that failed meanwhile can be retried. */
  async update(webhookId: string, changes: UpdateWebhook): Promise<Webhook> {
    const values: Partial<WebhookRow> = {}
    if (changes.url != null) values.url = this.#checkedUrl(changes.url)
    if (changes.event_types != null) values.event_types = encodeTypes(changes.event_types)
    if (changes.description != null) values.description = storable(changes.description)
    if (changes.enabled != null)
      Object.assign(values, { enabled: changes.enabled ? 1 : 0, disabled_reason: null })
    if (Object.keys(values).length > 0) await this.#options.store.update(webhookId, values)
    return this.get(webhookId)
  }

  async delete(webhookId: string): Promise<Deleted> {
    if (!(await this.#options.store.delete(webhookId))) throw notFound()
    return { success: true, message: 'webhook deleted with its deliveries' }
  }

  async rotateSecret(webhookId: string): Promise<WebhookWithSecret> {
    const { store, box } = this.#options
    const secret = newWebhookSecret()
    const sealed = box.seal(secret, webhookId)
    if (!(await store.rotateSecret(webhookId, sealed, Date.now() + rotationMs))) throw notFound()
    return { ...(await this.get(webhookId)), secret }
  }

  async test(webhookId: string): Promise<Delivery> {
    const { project_id: projectId, enabled } = await this.#find(webhookId)
    if (enabled === 0) throw new CairnError('conflict', 'the webhook is disabled; enable it first')
    const data = { webhook_id: webhookId, timestamp: Date.now() }
    const row = await this.#options.store.insertTest(webhookId, { projectId, type: 'webhook_test', data })
    // The webhook or its project was deleted after the check above.
    if (row === 'no_webhook') throw notFound()
    this.#options.wake()
    return toDelivery(row)
  }

  /** The project of a webhook; undefined if the webhook does not exist. */
  async projectOf(webhookId: string): Promise<string | undefined> {
    return (await this.#options.store.find(webhookId))?.project_id
  }

  /** Newest first. */
  async listDeliveries(webhookId: string, query: ListDeliveriesQuery): Promise<Paged<Delivery>> {
    const { project_id } = await this.#find(webhookId)
    const limit = query.limit ?? limits.listDefault
    const after = parseCursor(query.cursor, 'dlv_')
    const rows = await this.#options.store.listDeliveries(project_id, webhookId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.delivery_id }))
    return { page: page.map(toDelivery), next }
  }

  /** Makes an attempt of a delivery now, in any state. If it fails, the delays start again from the first one. */
  async retry(webhookId: string, deliveryId: string): Promise<Delivery> {
    const { store, wake } = this.#options
    const { project_id, enabled } = await this.#find(webhookId)
    const find = () => store.findDelivery(project_id, webhookId, deliveryId)
    if (!(await find())) throw new CairnError('not_found', 'delivery not found')
    if (enabled === 0) throw new CairnError('conflict', 'the webhook is disabled; enable it first')
    await store.requeue(project_id, deliveryId)
    wake()
    const row = await find()
    if (!row) throw new CairnError('not_found', 'delivery not found')
    return toDelivery(row)
  }

  async #find(webhookId: string): Promise<WebhookRow> {
    const row = await this.#options.store.find(webhookId)
    if (!row) throw notFound()
    return row
  }

  #checkedUrl(text: string): string {
    const problem = outgoingUrlProblem(text, this.#options.urlRules)
    if (problem) throw new CairnError('invalid_request', `url: ${problem.message}`)
    return new URL(text).href
  }
}

function notFound(): CairnError {
  return new CairnError('not_found', 'webhook not found')
}
