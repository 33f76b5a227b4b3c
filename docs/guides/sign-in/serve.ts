// Serves this folder for tests. Your own web server needs the same files and headers, and a settings.json.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const {
  PORT = '8100',
  CAIRN = 'http://127.0.0.1:8000',
  APP_ID,
  ISSUER = 'http://127.0.0.1:9000',
  CLIENT_ID = 'notes',
} = process.env
if (!APP_ID) throw new Error('APP_ID has to be the id of an application')

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', json: 'application/json' }
const names = [
  'index.html',
  'style.css',
  'app.js',
  'cairn.js',
  'dom.js',
  'files.js',
  'questions.js',
  'session.js',
]
const files = new Map<string, string | Buffer>()
for (const name of names) files.set(`/${name}`, await readFile(new URL(name, import.meta.url)))
const page = String(files.get('/index.html'))
files.set('/', page)
files.set('/oauth4webapi.js', await readFile(new URL(import.meta.resolve('oauth4webapi'))))
// The sources of this repository; the installed package has the same module as index.js.
const sources = fileURLToPath(import.meta.resolve('@cairn/sdk'))
const bundle = await rolldown({ input: sources, platform: 'browser' })
const { output } = await bundle.generate()
files.set('/cairn-sdk.js', output[0].code)
const settings = { cairn: CAIRN, appId: APP_ID, issuer: ISSUER, clientId: CLIENT_ID }
files.set('/settings.json', JSON.stringify(settings))

/** The page may connect to Cairn and the provider, run its own scripts, and nothing else. */
async function contentSecurityPolicy(): Promise<string> {
  const discovery = await fetch(`${ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { token_endpoint } = (await discovery.json()) as { token_endpoint: string }
  const origins = new Set([CAIRN, ISSUER, token_endpoint].map((url) => new URL(url).origin))
  const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(page) ?? []
  const hash = createHash('sha256').update(importMap).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${[...origins].join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const headers = {
  'content-security-policy': await contentSecurityPolicy(),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

const server = createServer((request, response) => {
  const [path = '/'] = (request.url ?? '/').split('?')
  const file = files.get(path)
  const type = types[(path.split('.')[1] ?? 'html') as keyof typeof types]
  response
    .writeHead(file ? 200 : 404, {
      ...headers,
      'content-type': `${file ? type : 'text/plain'}; charset=utf-8`,
    })
    .end(file ?? 'not found')
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
