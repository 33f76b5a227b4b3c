import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { packageRoot } from '../lib/package.ts'
import { anyone } from './access.ts'
import type { App } from './fastify.ts'

const dist = fileURLToPath(new URL('../web/dist', packageRoot))

/** The dashboard at `/`; without its build (development) a pointer to how it is made. */
export async function registerWeb(app: App): Promise<void> {
  if (existsSync(dist)) {
    await app.register(fastifyStatic, { root: dist, wildcard: false, schemaHide: true })
    return
  }
  app.get('/', { config: { access: anyone }, schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send('Cairn is running. The dashboard is not built: npm run build\nAPI reference: /docs\n'),
  )
}
