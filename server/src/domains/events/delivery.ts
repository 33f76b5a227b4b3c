import type { JobOutcome, Queue } from '../../jobs/index.ts'
import { jittered } from '../../lib/backoff.ts'
import { type GuardedFetch, OutgoingError } from '../../lib/guarded-fetch.ts'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { signedHeaders } from './signature.ts'
import type { DeliveryJob } from './store.ts'
import type { DueDelivery, WebhookRow, WebhookStore } from './store-webhooks.ts'

export interface DeliveryOptions {
  store: WebhookStore
  box: SecretBox
  fetch: GuardedFetch
  /** Delays before the second attempt, the third and so on, in seconds. After the last attempt, a delivery has failed. */
  retrySeconds: readonly number[]
  userAgent: string
}

/**
 * Concurrent deliveries. A delivery mostly waits for its endpoint, up to 15 seconds, so a project with slow endpoints may
 * use only a part of the places, and several such projects leave places free for the first delivery of others.
 */
const width = { concurrency: 32, perProject: 8, reserved: 8 }

/** The result of one attempt. */
interface Attempt {
  /** Null without a response. */
  responseStatus: number | null
  /** Null if it was delivered. */
  error: string | null
  /** Another attempt would not help. */
  final?: boolean
  /** If set, the webhook is disabled with this reason. */
  disableReason?: string
}

const unreadableSecret =
  "the webhook's secret cannot be read: it was stored under another encryption key; start the server with that " +
  'CAIRN_ENCRYPTION_KEY, or rotate the secret'

function attemptOf(status: number): Attempt {
  if (status >= 200 && status < 300) return { responseStatus: status, error: null }
  if (status === 410) {
    const disableReason = 'the endpoint responded with status 410 (gone)'
    const error = `${disableReason}; the webhook was disabled`
    return { responseStatus: status, error, final: true, disableReason }
  }
  const hint =
    status >= 300 && status < 400 ? ', a redirect, which is not followed; register its target address' : ''
  return { responseStatus: status, error: `the endpoint responded with status ${status}${hint}` }
}

/** Jobs that send events to webhooks. One job makes all attempts of one delivery. */
export function deliveryJobs(options: DeliveryOptions): Queue {
  const { store, box, fetch, retrySeconds, userAgent } = options

  /** The current secret and, for 24 hours after a rotation, the previous secret. */
  function secretsOf(webhook: WebhookRow): string[] {
    const { webhook_id, secret, previous_secret, previous_secret_until } = webhook
    const secrets = [box.open(secret, webhook_id)]
    if (previous_secret === null || (previous_secret_until ?? 0) <= Date.now()) return secrets
    try {
      return [...secrets, box.open(previous_secret, webhook_id)]
    } catch (error) {
      // A rotation repairs a webhook after the loss of the encryption key, so the new secret must be enough.
      if (error instanceof SecretBoxError) return secrets
      throw error
    }
  }

  async function send({ webhook, event }: DueDelivery, signal: AbortSignal): Promise<Attempt> {
    if (webhook.enabled === 0) return { responseStatus: null, error: 'the webhook is disabled', final: true }
    const { type, created_at, data } = event
    const body = `{"type":${JSON.stringify(type)},"timestamp":"${toIso(created_at)}","data":${data}}`
    const message = { id: event.event_id, timestamp: Math.floor(Date.now() / 1000), body }
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signedHeaders(message, secretsOf(webhook)),
      }
      return attemptOf((await fetch(webhook.url, { method: 'POST', headers, body, signal })).status)
    } catch (error) {
      if (error instanceof SecretBoxError) return { responseStatus: null, error: unreadableSecret }
      if (error instanceof OutgoingError) return { responseStatus: null, error: error.message }
      throw error
    }
  }

  async function run({ payload }: { payload: unknown }, signal: AbortSignal): Promise<JobOutcome> {
    const due = await store.findDue(payload as DeliveryJob)
    if (due?.delivery.status !== 'pending') return 'done'
    const [startedAt, from] = [Date.now(), performance.now()]
    const { responseStatus, error, final, disableReason } = await send(due, signal)
    const attempts = due.delivery.attempts + 1
    const wait = final || error === null ? undefined : retrySeconds[attempts - 1]
    const nextAttempt = wait === undefined ? null : Date.now() + jittered(wait * 1000)
    const result = {
      status: error === null ? 'delivered' : nextAttempt === null ? 'failed' : 'pending',
      attempts,
      response_status: responseStatus,
      error: error && storable(error.slice(0, 500)),
      duration_ms: Math.round((performance.now() - from) * 10) / 10,
      last_try_at: startedAt,
      next_try_at: nextAttempt,
    } as const
    await store.recordAttempt(due, result, disableReason)
    return nextAttempt === null ? 'done' : { retryAt: nextAttempt, ...(error !== null && { error }) }
  }

  // Failures of this server, such as an unreachable database, do not count as attempts of the delivery.
  const backoff = { baseMs: 1_000, maxMs: 300_000 }
  return { ...width, maxAttempts: retrySeconds.length + 100, backoff, run }
}
