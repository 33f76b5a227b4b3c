import { beforeAll, describe, expect, it } from 'vitest'
import { Api } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { wireCall } from '../support/wire.ts'

const lasting = 'public, max-age=31536000, immutable'

describe.each(sharedServers.slice(0, 1))('the files of the dashboard', ({ server }) => {
  let script: string

  beforeAll(async () => {
    const html = await (await fetch(server.url)).text()
    script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  })

  const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init)

  it.each(['/', '/index.html', '/projects', '/projects/any/where', '/server', '/sign-in'])(
    '%s is the page, which browsers request again each time',
    async (path) => {
      const page = await ask(path)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/)
      expect(await page.text()).toContain(script)
      const head = await ask(path, { method: 'HEAD' })
      expect(head.status).toBe(200)
    },
  )

  it('may load images and sounds of other servers, and nothing else', async () => {
    const policy = (await ask('/')).headers.get('content-security-policy') ?? ''
    const sources = Object.fromEntries(
      policy.split(';').map((directive) => {
        const [name = '', ...allowed] = directive.trim().split(' ')
        return [name, allowed.join(' ')]
      }),
    )
    expect(sources).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'object-src': "'none'",
      'img-src': "'self' data: https:",
      'media-src': "'self' data: https:",
    })
    expect(Object.keys(sources).filter((name) => sources[name]?.includes('https:'))).toEqual([
      'img-src',
      'media-src',
    ])
    expect(sources['connect-src'] ?? sources['default-src']).toBe("'self'")
  })

  it('are compressed, and cached by browsers', async () => {
    const plain = await ask(script, { headers: { 'accept-encoding': 'identity' } })
    const text = await plain.text()
    expect(plain.headers.get('content-type')).toMatch(/^(application|text)\/javascript/)
    for (const encoding of ['br', 'gzip']) {
      const asset = await ask(script, { headers: { 'accept-encoding': encoding } })
      expect(asset.headers.get('content-encoding')).toBe(encoding)
      expect(asset.headers.get('cache-control')).toBe(lasting)
      expect(await asset.text()).toBe(text)
    }
    const head = await ask(script, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    const known = { 'if-none-match': plain.headers.get('etag') ?? '' }
    expect((await wireCall(server.url, 'GET', script, { headers: known })).status).toBe(304)
    expect((await ask('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml')
  })

  it('show browsers their own page at an unknown path, and other clients JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const shown = await fetch(`${server.url}/nothing/here`, { headers: { accept } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await shown.text()).toBe(await (await fetch(`${server.url}/projects`)).text())
    for (const [path, headers] of [
      ['/v1/nothing/here', { accept }],
      ['/v1', { accept }],
      ['/assets/none.js', { accept }],
      ['/nothing/here', { accept: '*/*' }],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`, { headers })
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([
        404,
        'application/json; charset=utf-8',
      ])
    }
  })

  it('are the only files that are served', async () => {
    const api = new Api(server.url)
    for (const path of ['/assets/none.js', '/assets', '/assets/', '/none.html', '/favicon.svg/x']) {
      expectRefusal(await api.get(path), { status: 404, names: 'no such path' }, path)
    }
    expectRefusal(await api.call('POST', script), { status: 404, names: 'no such path' })
    for (const path of [
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2findex.html',
    ]) {
      expectRefusal(await wireCall(server.url, 'GET', path), { status: [400, 403, 404] }, path)
    }
  })
})
