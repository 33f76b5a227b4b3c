import type { RouteOptions } from 'fastify'
import { shareParameters, shareResponses } from './components.ts'
import { Examples } from './examples.ts'
import { commonSecurity, Operations, securitySchemes } from './operation.ts'
import { SchemaComponents } from './schemas.ts'
import type { Operation } from './types.ts'
import { describeWebhooks } from './webhooks.ts'

/** What a document is about; each route belongs to one document. */
export interface Subject {
  title: string
  description: string
  /** Whether the document describes the webhooks, too. */
  hasWebhooks: boolean
}

/** The operations of a path by method, and the parameters that they share. */
type PathItem = Pick<Operation, 'parameters'> & Record<string, unknown>

/** `/v1/:project_id/traces` → `/v1/{project_id}/traces` */
function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

/** The OpenAPI 3.1 document of the routes, in their order. */
export function describeRoutes(
  routes: readonly RouteOptions[],
  { title, description, hasWebhooks }: Subject,
  version: string,
): object {
  const components = new SchemaComponents()
  const examples = new Examples(components)
  const operations = new Operations(components, examples)
  const paths: Record<string, PathItem> = {}
  const described: Operation[] = []
  for (const route of routes) {
    const operation = operations.describe(route)
    described.push(operation)
    const path = pathOf(route.url)
    const parameters = operations.ofPath(route)
    const known = paths[path] ?? (parameters.length > 0 ? { parameters } : {})
    paths[path] = { ...known, [String(route.method).toLowerCase()]: operation }
  }
  shareParameters([...described, ...Object.values(paths)], operations.parameters)
  shareResponses(described, operations.responses)
  const webhooks = hasWebhooks ? { webhooks: describeWebhooks(components, operations.responses) } : {}
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [
      { url: '/', description: 'The server of this document' },
      { url: 'http://127.0.0.1:8000', description: 'The default address' },
    ],
    security: commonSecurity,
    paths,
    ...webhooks,
    components: {
      securitySchemes,
      parameters: operations.parameters.values,
      responses: operations.responses.values,
      schemas: components.all(described.flatMap(({ requestBody }) => requestBody ?? [])),
    },
  }
}
