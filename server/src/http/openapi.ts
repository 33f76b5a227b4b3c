import { fileURLToPath } from 'node:url'
import {
  DetailErrorBody,
  type ErrorCode,
  errorCatalogue,
  OtlpStatus,
  ProjectErrorBody,
} from '@cairn/contract'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type Access, anyone } from './access.ts'
import type { App } from './fastify.ts'

const security: Record<Access['credential'], Record<string, string[]>[]> = {
  none: [],
  admin: [{ adminToken: [] }],
  'project-key': [{ apiKey: [] }],
  'chat-key': [{ apiKey: [] }],
  'admin-or-chat-key': [{ adminToken: [] }, { apiKey: [] }],
  user: [{ idToken: [], appId: [] }],
}

const description = `Two APIs in one server: the project API records and scores traces of model calls, and the chat API
answers questions about documents with citations. Unknown fields in a body are ignored. Changes within /v1 only add.
Errors of the project API have the body {"error":{"code","message"}}, those of OpenTelemetry are google.rpc.Status, and
all others {"detail"}.`

const bodyErrors: ErrorCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type']
const fileErrors: ErrorCode[] = [
  'unreadable_file',
  'processing_timeout',
  'extraction_failed',
  'embedding_failed',
]
const keyErrors: ErrorCode[] = [
  'missing_credentials',
  'invalid_credentials',
  'permission_denied',
  'rate_limited',
  'not_found',
]

/** The possible errors of a route. They follow from its access rule and its body. */
function errorCodes(access: Access, method: string, hasForm: boolean): ErrorCode[] {
  const codes: ErrorCode[] = ['internal_error', 'overloaded']
  if (access.credential === 'none') return codes
  codes.push('invalid_request', ...keyErrors)
  if (access.credential === 'chat-key' || access.credential === 'user') codes.push('api_access_disabled')
  if (access.credential === 'user') codes.push('identity_provider_unavailable')
  if ('permission' in access && access.permission === 'query') {
    codes.push('not_published', 'budget_exceeded', 'model_failed')
  }
  if (method !== 'GET' && method !== 'DELETE') codes.push(...bodyErrors)
  return hasForm ? [...codes, ...fileErrors] : codes
}

function errorBodyOf(access: Access): object {
  if (access.credential !== 'project-key') return DetailErrorBody
  return access.project === 'of-key' ? OtlpStatus : ProjectErrorBody
}

function errorResponses(access: Access, codes: ErrorCode[]): Record<string, object> {
  const body = errorBodyOf(access)
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status)
  const responses = [...byStatus].map(([status, group]) => {
    const description = group.map((code) => errorCatalogue[code].meaning).join(' ')
    return [status, { description, ...body }]
  })
  return Object.fromEntries(responses)
}

/** `Error404`, `ProjectError400_2`: different responses with the same status are numbered by first use. */
function componentName(status: string, project: boolean, taken: object): string {
  const name = `${project ? 'Project' : ''}Error${status}`
  let number = 1
  while ((number === 1 ? name : `${name}_${number}`) in taken) number++
  return number === 1 ? name : `${name}_${number}`
}

interface Described {
  paths?: Record<string, Record<string, { responses?: Record<string, unknown> }>>
  components?: { responses?: Record<string, unknown> }
}

/** Moves errors that operations share to components. Otherwise they would be most of the document. */
function shareErrors(document: Described): void {
  const shared: Record<string, unknown> = {}
  const names = new Map<string, string>()
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { responses = {} } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const text = JSON.stringify(response)
        const name = names.get(text) ?? componentName(status, text.includes('"error"'), shared)
        names.set(text, name)
        shared[name] = response
        responses[status] = { $ref: `#/components/responses/${name}` }
      }
    }
  }
  document.components = { ...document.components, responses: shared }
}

/** `POST /v1/:project_id/traces` becomes `post_v1_project_id_traces`, a name for generated clients. */
function operationId(method: string, url: string): string {
  return `${method.toLowerCase()}${url.replace(/[^a-z0-9]+/gi, '_')}`
}

function permissionNote(access: Access): string {
  if ('permission' in access) return `Needs a key with the permission \`${access.permission}\`.`
  if (access.credential === 'admin-or-chat-key')
    return 'Needs the admin token, or a key of the chat with `admin`.'
  return ''
}

/** Serves OpenAPI 3.1 at `/openapi.json`, generated from the route schemas, and a reference page at `/docs`. */
export async function registerOpenApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Cairn', version, description, license: { name: 'Apache-2.0' } },
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'an API key, tk_…' },
          idToken: { type: 'http', scheme: 'bearer', description: "the user's ID token, a JWT" },
          appId: { type: 'apiKey', in: 'header', name: 'X-App-ID' },
          adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
        },
      },
    },
    hideUntagged: true,
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      shareErrors(document.openapiObject as Described)
      return document.openapiObject
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access ?? anyone
      const text = [schema?.description, permissionNote(access)].filter(Boolean).join('\n\n')
      const method = String(route.method)
      const errors = errorResponses(access, errorCodes(access, method, route.config?.form !== undefined))
      const response = { ...errors, ...(schema?.response as object | undefined) }
      // The form is not in the route's schema, because it is read part by part and no parsed body exists.
      const types = ['multipart/form-data']
      if (route.config?.takesUrlencoded) types.unshift('application/x-www-form-urlencoded')
      const form = route.config?.form && { body: route.config.form, consumes: types }
      const described = {
        description: text,
        operationId: operationId(method, url),
        security: security[access.credential],
        response,
        ...form,
      }
      return { url, schema: { ...schema, ...described } }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The bundled plugin would search for its files next to the bundle.
    baseDir: fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static')),
    logo: { type: 'image/svg+xml', content: '' },
    // The policy of the plugin would require https; the policy of the server is sufficient.
    staticCSP: false,
    theme: {
      title: 'Cairn API reference',
      css: [{ filename: 'cairn.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    uiConfig: {
      docExpansion: 'list',
      filter: true,
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      persistAuthorization: false,
    },
  })
  app.get('/openapi.json', { config: { access: anyone }, schema: { hide: true } }, () => app.swagger())
}
