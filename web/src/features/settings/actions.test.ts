import { describe, expect, it } from 'vitest'
import { actionText } from './actions.ts'

describe('texts of audit log entries', () => {
  it.each([
    ['DELETE /v1/console/projects/:project_id', 'Delete project'],
    ['POST /v1/console/projects/:project_id/keys', 'Create key'],
    ['DELETE /v1/console/keys/:key_id', 'Revoke key'],
    ['POST /v1/console/apps/register', 'Register app'],
    ['PUT /v1/console/projects/:project_id/prices', 'Set price'],
    ['POST /v1/console/webhooks/:webhook_id/rotate-secret', 'Create secret of webhook'],
    ['POST /v1/console/webhooks/:webhook_id/deliveries/:delivery_id/retry', 'Retry delivery'],
    ['POST /v1/console/chats/:chat_id/publish', 'Publish chat'],
    ['PUT /v1/console/providers/:provider', 'Set provider'],
    ['something else', 'something else'],
  ])('%s', (action, text) => expect(actionText(action)).toBe(text))
})
