import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { RouteOptions } from 'fastify'
import { anyone } from '../access.ts'
import type { App } from '../fastify.ts'
import { describeRoutes, type Subject } from './document.ts'

const common = `Unknown fields in a body are ignored, and null counts as left out. Times are ISO 8601 in UTC.
Every response has X-Request-Id.`

const applicationSubject: Subject = {
  title: 'Cairn',
  description: `The project API records and scores traces of model calls; the chat API answers questions about
documents with citations. ${common}
Changes within /v1 only add. Webhooks are signed as Standard Webhooks describe. Projects, keys and other things that
need the admin token are described in /openapi-console.json.`,
  hasWebhooks: true,
}

const consoleSubject: Subject = {
  title: 'Cairn console',
  description: `The console API manages projects, keys, chats, applications, model providers, prices, budgets and the
server itself. It needs the admin token, or the session of a signed-in dashboard. ${common}`,
  hasWebhooks: false,
}

function isOfConsole({ url }: RouteOptions): boolean {
  return url.startsWith('/v1/console/')
}

/**
 * Serves OpenAPI 3.1, generated from the routes with tags, and a reference page at `/docs`. The routes of the console
 * have a document of their own, so that clients of applications are not generated from routes that they cannot use.
 */
export async function registerOpenApi(app: App, version: string): Promise<void> {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    // Fastify adds a HEAD route for each GET route.
    if (route.schema?.tags && !route.schema.hide && route.method !== 'HEAD') routes.push(route)
  })
  // The page needs this plugin. Its own document repeats every schema wherever it is used, which takes twice the space.
  await app.register(swagger, {
    openapi: {},
    transform: ({ schema, url }) => ({ schema: { ...schema, hide: true }, url }),
    transformObject: () =>
      describeRoutes(
        routes.filter((route) => !isOfConsole(route)),
        applicationSubject,
        version,
      ),
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
      // The bar above selects the document; it has a logo of the page's authors.
      css: [{ filename: 'cairn.css', content: '.swagger-ui .topbar .link { display: none }' }],
    },
    uiConfig: {
      urls: [
        { url: '/openapi.json', name: 'Project and chat API' },
        { url: '/openapi-console.json', name: 'Console' },
      ],
      docExpansion: 'list',
      filter: true,
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      persistAuthorization: false,
    },
  })
  const options = { config: { access: anyone }, schema: { hide: true } }
  app.get('/openapi.json', options, () => app.swagger())
  let consoleDocument: object | undefined
  app.get('/openapi-console.json', options, () => {
    consoleDocument ??= describeRoutes(routes.filter(isOfConsole), consoleSubject, version)
    return consoleDocument
  })
}
