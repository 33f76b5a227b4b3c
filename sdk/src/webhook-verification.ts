import type { Event } from '@cairn/contract'

/** A received call of a webhook is not genuine, or too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface ReceivedWebhook {
  /** The body as text, exactly as received. */
  body: string
  /** A `Headers` object, or the headers of Node's `IncomingMessage`. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The secret of the webhook (`whsec_…`). */
  secret: string
  /** A call whose timestamp differs more from the clock is rejected, because it may be a replay. Default 300. */
  toleranceSeconds?: number
}

/** The body of a webhook call. */
export type WebhookEvent = Pick<Event, 'type' | 'data'> & { timestamp: string }

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** The signatures of version 1 that can be decoded. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  const encoded = header.split(' ').filter((each) => each.startsWith('v1,'))
  return encoded.flatMap((each) => {
    try {
      return [fromBase64(each.slice(3))]
    } catch {
      return []
    }
  })
}

/**
 * Verifies a call of a webhook by the Standard Webhooks specification, and returns its event. Compares in constant time.
 * @throws WebhookVerificationError
 */
async function verify(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = 300 } = received
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const timestamp = header('webhook-timestamp')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (timestamp === '' || !(age <= toleranceSeconds)) {
    throw new WebhookVerificationError('the timestamp is missing or too old')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  const signed = new TextEncoder().encode(`${header('webhook-id')}.${timestamp}.${body}`)
  for (const signature of signaturesOf(header('webhook-signature'))) {
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(body) as WebhookEvent
  }
  throw new WebhookVerificationError('the signature does not match')
}

/** For applications that receive webhooks. */
export const webhooks = { verify }
