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
  /** Waits before the second try, the third and so on, in seconds; after the last one a delivery has failed. */
  retrySeconds: readonly number[]
  userAgent: string
}

/** A delivery mostly waits for its endpoint, for 15 seconds at most; a project whose endpoints hang leaves most places free. */
const width = { concurrency: 32, perProject: 8 }

/** What came of one try. */
interface Try {
  responseStatus: number | null
  /** Null when it was delivered. */
  error: string | null
  /** Another try would be of no use. */
  final?: boolean
  /** The endpoint wants no more: why the webhook is switched off. */
  gone?: string
}

const wrongKey =
  "the webhook's secret cannot be read: it was stored under another encryption key; start the server with that " +
  'CAIRN_ENCRYPTION_KEY, or rotate the secret'

function judge(status: number): Try {
  if (status >= 200 && status < 300) return { responseStatus: status, error: null }
  if (status === 410) {
    const gone = 'the endpoint answered 410 (gone)'
    return { responseStatus: status, error: `${gone}; the webhook was disabled`, final: true, gone }
  }
  const hint =
    status >= 300 && status < 400 ? ', a redirect, which is not followed; register where it leads' : ''
  return { responseStatus: status, error: `the endpoint answered ${status}${hint}` }
}

/** Sends events to webhooks: one job is one delivery, which it carries through all its tries. */
export function deliveryJobs(options: DeliveryOptions): Queue {
  const { store, box, fetch, retrySeconds, userAgent } = options

  /** The present secret and, after a rotation, the one before it for as long as it is good. */
  function secretsOf(webhook: WebhookRow): string[] {
    const { webhook_id, secret, previous_secret, previous_secret_until } = webhook
    const secrets = [box.open(secret, webhook_id)]
    if (previous_secret === null || (previous_secret_until ?? 0) <= Date.now()) return secrets
    try {
      return [...secrets, box.open(previous_secret, webhook_id)]
    } catch (error) {
      // Rotating is the way out when the key was lost: the new secret is enough then.
      if (error instanceof SecretBoxError) return secrets
      throw error
    }
  }

  async function send({ webhook, event }: DueDelivery, signal: AbortSignal): Promise<Try> {
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
      return judge((await fetch(webhook.url, { method: 'POST', headers, body, signal })).status)
    } catch (error) {
      if (error instanceof SecretBoxError) return { responseStatus: null, error: wrongKey }
      if (error instanceof OutgoingError) return { responseStatus: null, error: error.message }
      throw error
    }
  }

  async function run({ payload }: { payload: unknown }, signal: AbortSignal): Promise<JobOutcome> {
    const due = await store.findDue(payload as DeliveryJob)
    if (due?.delivery.status !== 'pending') return 'done'
    const [startedAt, from] = [Date.now(), performance.now()]
    const { responseStatus, error, final, gone } = await send(due, signal)
    const attempts = due.delivery.attempts + 1
    const wait = final || error === null ? undefined : retrySeconds[attempts - 1]
    const nextTry = wait === undefined ? null : Date.now() + jittered(wait * 1000)
    const result = {
      status: error === null ? 'delivered' : nextTry === null ? 'failed' : 'pending',
      attempts,
      response_status: responseStatus,
      error: error && storable(error.slice(0, 500)),
      duration_ms: Math.round((performance.now() - from) * 10) / 10,
      last_try_at: startedAt,
      next_try_at: nextTry,
    } as const
    await store.recordTry(due, result, gone)
    return nextTry === null ? 'done' : { retryAt: nextTry, ...(error !== null && { error }) }
  }

  // Failures of our own (the database is away), beside the tries that the endpoint gets.
  const backoff = { baseMs: 1_000, maxMs: 300_000 }
  return { ...width, maxAttempts: retrySeconds.length + 100, backoff, run }
}
