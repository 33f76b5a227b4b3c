import { eventCatalogue } from '@cairn/contract'
import { Type } from 'typebox'
import type { SharedValues } from './components.ts'
import type { SchemaComponents } from './schemas.ts'
import type { Response, Schema } from './types.ts'

/** `file_uploaded` → `FileUploaded` */
function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The requests that the server sends to webhooks, by the type of their event. */
export function describeWebhooks(
  components: SchemaComponents,
  responses: SharedValues<Response>,
): Record<string, object> {
  const received = { description: 'The event was received. After any other status, it is sent again.' }
  const received2XX = { '2XX': responses.refer(received, 'Received') }
  const webhooks = Object.entries(eventCatalogue).map(([type, { meaning, data }]) => {
    const body = Type.Object({
      type: Type.Literal(type),
      timestamp: Type.String({ format: 'date-time' }),
      data,
    }) as Schema
    const schema = components.ofBody(body, `${pascalCase(type)}Webhook`)
    const operation = {
      operationId: `on${pascalCase(type)}`,
      summary: meaning,
      security: [],
      requestBody: { content: { 'application/json': { schema } } },
      responses: received2XX,
    }
    return [type, { post: operation }]
  })
  return Object.fromEntries(webhooks)
}
