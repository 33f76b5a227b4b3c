import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { webhooks } from './index.ts'

const secret = `whsec_${btoa('a secret of twenty-four b')}`
const body = '{"type":"file_uploaded","timestamp":"2026-01-01T00:00:00.000Z","data":{"name":"é"}}'

/** The headers of a call, signed by the published library. */
function signed(at = new Date()) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

describe('webhooks.verify', () => {
  it('returns the event of a genuine call, also beside other signatures', async () => {
    const event = await webhooks.verify({ body, headers: signed(), secret })
    expect(event).toMatchObject({ type: 'file_uploaded', data: { name: 'é' } })
    const headers = new Headers(signed())
    headers.set('webhook-signature', `v2,abc v1,%% v1,AAAA ${headers.get('webhook-signature')}`)
    expect(await webhooks.verify({ body, headers, secret })).toMatchObject({ type: 'file_uploaded' })
  })

  it('rejects another body, id, secret or version, a missing header, and an old call', async () => {
    const forged = [
      { body: body.replace('é', 'e'), headers: signed(), secret },
      { body, headers: { ...signed(), 'webhook-id': 'evt_2' }, secret },
      { body, headers: signed(), secret: `whsec_${btoa('another secret of 24 byte')}` },
      {
        body,
        headers: { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v2') },
        secret,
      },
      { body, headers: {}, secret },
      { body, headers: { ...signed(), 'webhook-timestamp': 'soon' }, secret },
      { body, headers: signed(new Date(Date.now() - 301_000)), secret },
      { body, headers: signed(new Date(Date.now() + 301_000)), secret },
    ]
    for (const received of forged) {
      await expect(webhooks.verify(received)).rejects.toMatchObject({ name: 'WebhookVerificationError' })
    }
  })
})
