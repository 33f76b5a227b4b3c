import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { packageRoot } from '../lib/package.ts'
import { anyone } from './access.ts'
import type { App } from './fastify.ts'

const dist = fileURLToPath(new URL('../web/dist', packageRoot))

/** Places of the dashboard that a browser may be sent to; all of them are its one page. */
const pages = ['/projects', '/projects/*', '/server', '/server/*', '/sign-in']

/** The dashboard at `/`; without its build (development) a pointer to how it is made. */
export async function registerWeb(app: App): Promise<void> {
  if (!existsSync(dist)) {
    app.get('/', { config: { access: anyone }, schema: { hide: true } }, (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('Cairn is running. The dashboard is not built: npm run build\nAPI reference: /docs\n'),
    )
    return
  }
  // One route for all assets: one for each of them, and its HEAD, would be an eighth of what a start costs.
  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    schemaHide: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Names of assets carry a hash of their content.
      const lasting = path.includes('/assets/')
      reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const hidden = { config: { access: anyone }, schema: { hide: true } }
  const files = readdirSync(dist).filter((name) => /\.(?!br$|gz$)\w+$/.test(name))
  for (const name of files) app.get(`/${name}`, hidden, (_request, reply) => reply.sendFile(name, dist))
  app.get('/', hidden, (_request, reply) => reply.sendFile('index.html', dist))
  const page = readFileSync(`${dist}/index.html`, 'utf8')
  for (const path of pages) {
    app.get(path, hidden, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
    )
  }
}
