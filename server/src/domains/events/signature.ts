import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks (https://www.standardwebhooks.com): symmetric signatures of version 1. */
const prefix = 'whsec_'
const secretBytes = 32

export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

export interface Message {
  id: string
  /** Unix seconds. */
  timestamp: number
  body: string
}

/** The headers of a message with one signature per secret. A receiver accepts the message if one signature is valid. */
export function signedHeaders(
  { id, timestamp, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
