import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import { packageRoot } from '../lib/package.ts'
import { anyone } from './access.ts'
import type { App } from './fastify.ts'

const dist = fileURLToPath(new URL('../web/dist', packageRoot))

/** Addresses of the dashboard, which is a single page. */
const pages = ['/projects', '/projects/*', '/server', '/server/*', '/sign-in']

/**
 * Returns the dashboard, which says that the page does not exist, for an unknown path that a browser shows. Paths of the API
 * and all other clients get JSON.
 */
export function createNotFoundPage(): (request: FastifyRequest) => Buffer | undefined {
  const page = existsSync(dist) ? readFileSync(`${dist}/index.html`) : undefined
  return ({ method, url, headers: { accept } }) => {
    const isShown = method === 'GET' && accept?.includes('text/html') && !/^\/(?:v1|assets)(?:\/|$)/.test(url)
    return isShown ? page : undefined
  }
}

/** Serves the dashboard at `/`. If it is not built (development), a text explains how to build it. */
export async function registerWeb(app: App): Promise<void> {
  if (!existsSync(dist)) {
    app.get('/', { config: { access: anyone }, schema: { hide: true } }, (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('Cairn is running. The dashboard is not built: npm run build\nAPI reference: /docs\n'),
    )
    return
  }
  // One route for all assets, because separate routes take an eighth of the start time.
  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    schemaHide: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // The file names of assets contain a hash of their content.
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
