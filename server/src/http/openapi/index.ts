import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { RouteOptions } from 'fastify'
import { anyone } from '../access.ts'
import type { App } from '../fastify.ts'
import { describeRoutes } from './document.ts'

/** Serves OpenAPI 3.1 at `/openapi.json`, generated from the routes with tags, and a reference page at `/docs`. */
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
    transformObject: () => describeRoutes(routes, version),
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
