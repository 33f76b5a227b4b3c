import { DetailErrorBody, errorCatalogue, ProjectErrorBody } from '@cairn/contract'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Access } from './access.ts'
import { anyone } from './access.ts'
import type { App } from './fastify.ts'

const security: Record<Access['credential'], Record<string, string[]>[]> = {
  none: [],
  admin: [{ adminToken: [] }],
  'project-key': [{ apiKey: [] }],
  'chat-key': [{ apiKey: [] }],
  'admin-or-chat-key': [{ adminToken: [] }, { apiKey: [] }],
}

const description = `Two APIs in one server: record and score traces of model calls (project API), and ask questions
over documents with cited answers (chat API). Unknown fields in a body are ignored; within /v1 changes only add.
Project API errors have the body {"error":{"code","message"}}, all others {"detail"}.`

function errorResponses(access: Access): Record<string, object> {
  const body = access.credential === 'project-key' ? ProjectErrorBody : DetailErrorBody
  const statuses = new Map<number, string[]>()
  for (const { status, meaning } of Object.values(errorCatalogue)) {
    statuses.set(status, [...(statuses.get(status) ?? []), meaning])
  }
  const responses = [...statuses].map(([status, meanings]) => [
    status,
    { description: meanings.join(' '), ...body },
  ])
  return Object.fromEntries(responses)
}

function permissionNote(access: Access): string {
  if ('permission' in access) return `Needs a key with the permission \`${access.permission}\`.`
  if (access.credential === 'admin-or-chat-key')
    return 'Needs the admin token, or a key of the chat with `admin`.'
  return ''
}

/** OpenAPI 3.1, made from the routes' own schemas: `/openapi.json`, and a page to read it at `/docs`. */
export async function registerOpenApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Cairn', version, description, license: { name: 'Apache-2.0' } },
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'an API key, tk_…' },
          adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const access = route.config?.access ?? anyone
      const text = [schema?.description, permissionNote(access)].filter(Boolean).join('\n\n')
      const response = { ...errorResponses(access), ...(schema?.response as object | undefined) }
      // Not in the route's own schema: the form is read part by part, there is no body to check it against.
      const form = route.config?.form && { body: route.config.form, consumes: ['multipart/form-data'] }
      const described = { description: text, security: security[access.credential], response, ...form }
      return { url, schema: { ...schema, ...described } }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true, persistAuthorization: false },
  })
  app.get('/openapi.json', { config: { access: anyone }, schema: { hide: true } }, () => app.swagger())
}
