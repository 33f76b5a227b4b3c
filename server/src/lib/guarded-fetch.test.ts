import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGuardedFetch, OutgoingError, outgoingPolicy } from './guarded-fetch.ts'
import { createHostLookup } from './host-lookup.ts'
import { isPublicAddress } from './public-address.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

describe('the guarded fetch', () => {
  let handler: Handler
  let seen: IncomingMessage[]
  let reached: unknown[]
  const server = createServer((request, response) => {
    seen.push(request)
    reached.push(request.socket.localAddress)
    response.on('error', () => {})
    handler(request, response)
  })
  let port: number

  beforeAll(async () => {
    // Listens on every address of the machine, so that only the guard can reject a call.
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    seen = []
    reached = []
    handler = (_, response) => response.end('hello')
  })

  const names: Record<string, string[]> = {
    'public.test': ['127.0.0.1'],
    'private.test': ['127.0.0.2'],
    'both.test': ['127.0.0.2', '127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.2'],
    'nonsense.test': ['somewhere'],
    'nothing.test': [],
  }
  const resolve = async (host: string) => {
    const addresses = names[host]
    if (!addresses) throw Object.assign(new Error('no such host 10.9.8.7'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  /** Here 127.0.0.1 counts as public, and all other addresses as private. */
  const guarded = createGuardedFetch({
    allowHttp: true,
    isAllowed: (address) => address === '127.0.0.1',
    resolve,
  })
  const at = (host: string, path = '/') => `http://${host}:${port}${path}`

  async function refusal(work: Promise<unknown>): Promise<OutgoingError> {
    const error: unknown = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OutgoingError)
    return error as OutgoingError
  }

  it('sends a request and returns status, headers and body', async () => {
    handler = async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      response.writeHead(201, { 'x-seen': request.headers['x-mine'] }).end(`${request.method} ${body}`)
    }
    const answer = await guarded(at('public.test', '/a?b'), {
      method: 'POST',
      headers: { 'x-mine': '1' },
      body: 'ü',
    })
    expect(answer).toMatchObject({ status: 201, truncated: false, url: at('public.test', '/a?b') })
    expect([answer.headers['x-seen'], answer.body.toString()]).toEqual(['1', 'POST ü'])
    expect(seen[0]?.headers).toMatchObject({ host: `public.test:${port}`, 'content-length': '2' })
  })

  it.each([
    'private.test',
    'mapped.test',
    'nonsense.test',
    'nothing.test',
    '127.0.0.2',
    '[::ffff:127.0.0.2]',
  ])('does not connect to %s', async (host) => {
    const error = await refusal(guarded(at(host)))
    expect(error.reason).toBe('private')
    expect(error.message).toContain('public address')
    if (host.endsWith('.test')) expect(error.message).not.toMatch(/127|::/)
    expect(seen).toEqual([])
  })

  it('connects only to the public addresses of a host', async () => {
    expect((await guarded(at('both.test'))).status).toBe(200)
    expect(reached).toEqual(['127.0.0.1'])
  })

  it('connects to the checked address, even if the next lookup returns another one', async () => {
    let asked = 0
    const rebinding = createGuardedFetch({
      allowHttp: true,
      isAllowed: (address) => address === '127.0.0.1',
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    })
    expect((await rebinding(at('rebinding.test'))).status).toBe(200)
    expect(asked).toBe(1)
    expect((await refusal(rebinding(at('rebinding.test')))).reason).toBe('private')
    expect(seen).toHaveLength(1)
  })

  it('rejects http and private addresses with the production policy', async () => {
    const strict = createGuardedFetch(outgoingPolicy(false, createHostLookup()))
    expect((await refusal(strict(at('127.0.0.1')))).message).toContain('https://')
    expect((await refusal(strict(`https://127.0.0.1:${port}/`))).reason).toBe('private')
    expect((await refusal(strict(`https://localhost:${port}/`))).reason).toBe('private')
    const named = createGuardedFetch({ allowHttp: true, isAllowed: isPublicAddress, resolve })
    expect((await refusal(named(at('public.test')))).reason).toBe('private')
    expect(seen).toEqual([])
    expect((await createGuardedFetch(outgoingPolicy(true, createHostLookup()))(at('localhost'))).status).toBe(
      200,
    )
  })

  it('returns a redirect unchanged, unless it should follow', async () => {
    handler = (_, response) => response.writeHead(302, { location: at('public.test', '/next') }).end()
    expect(await guarded(at('public.test'))).toMatchObject({ status: 302 })
    expect(await guarded(at('public.test'), { method: 'POST', body: '', maxRedirects: 3 })).toMatchObject({
      status: 302,
    })
    expect(seen).toHaveLength(2)
  })

  it('follows redirects up to the limit, including relative ones, and sends headers to no other host', async () => {
    names['other.test'] = ['127.0.0.1']
    handler = (request, response) => {
      const next = { '/': '/one', '/one': at('other.test', '/two') }[request.url ?? '']
      if (next) response.writeHead(307, { location: next }).end()
      else response.end('there')
    }
    const headers = { authorization: 'Bearer secret' }
    const answer = await guarded(at('public.test'), { headers, maxRedirects: 2 })
    expect(answer).toMatchObject({ status: 200, url: at('other.test', '/two') })
    expect(seen.map((request) => request.headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
      undefined,
    ])
    expect((await refusal(guarded(at('public.test'), { maxRedirects: 1 }))).reason).toBe('redirects')
  })

  it.each([
    'http://private.test/',
    'http://127.0.0.2/',
    'file:///etc/passwd',
    'http://a:b@public.test/',
    'http://[',
  ])('does not follow a redirect to %s', async (target) => {
    const location = target.replace('.test/', `.test:${port}/`).replace('.2/', `.2:${port}/`)
    handler = (_, response) => response.writeHead(302, { location }).end()
    const error = await refusal(guarded(at('public.test'), { maxRedirects: 5 }))
    expect(['private', 'address']).toContain(error.reason)
    expect(seen).toHaveLength(1)
  })

  it('keeps at most the limit of a body, however long it is', async () => {
    let sent = 0
    handler = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536
      }
      response.on('drain', more)
      more()
    }
    const answer = await guarded(at('public.test'), { maxBytes: 1000 })
    expect(answer).toMatchObject({ status: 200, truncated: true })
    expect(answer.body.toString()).toBe('x'.repeat(1000))
    await vi.waitFor(() => expect(seen[0]?.socket.destroyed).toBe(true))
    expect(sent).toBeLessThan(50_000_000)
    handler = (_, response) => response.end('x'.repeat(1000))
    expect(await guarded(at('public.test'), { maxBytes: 1000 })).toMatchObject({ truncated: false })
  })

  it.each<[string, Handler]>([
    ['says nothing', () => {}],
    [
      'drips headers',
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        setInterval(() => socket.write('X: y\r\n'), 20).unref()
      },
    ],
    [
      'drips a body',
      (_, response) => {
        response.flushHeaders()
        setInterval(() => response.write('x'), 20).unref()
      },
    ],
  ])('gives up on a server that %s', async (_, slow) => {
    handler = slow
    const from = performance.now()
    const error = await refusal(guarded(at('public.test'), { totalMs: 300 }))
    expect(error).toMatchObject({
      reason: 'timeout',
      message: 'no complete answer from public.test within 300 ms',
    })
    expect(performance.now() - from).toBeLessThan(1500)
    await vi.waitFor(() => expect(seen[0]?.socket.destroyed).toBe(true))
  })

  it('gives up on a name that is never resolved, and on a TLS handshake that never ends', async () => {
    const stuck = createGuardedFetch({
      allowHttp: true,
      isAllowed: () => true,
      resolve: () => new Promise(() => {}),
    })
    expect((await refusal(stuck(at('public.test'), { connectMs: 100 }))).reason).toBe('timeout')
    const silent = createSocketServer(() => {}).listen(0)
    await once(silent, 'listening')
    const url = `https://public.test:${(silent.address() as AddressInfo).port}/`
    expect((await refusal(guarded(url, { connectMs: 100 }))).reason).toBe('timeout')
    silent.close()
  })

  it('describes failures without addresses that the caller did not enter', async () => {
    const closed = createSocketServer().listen(0)
    await once(closed, 'listening')
    const free = (closed.address() as AddressInfo).port
    closed.close()
    await once(closed, 'close')
    const messages = [
      await refusal(guarded('http://unknown.test/')),
      await refusal(guarded(`http://public.test:${free}/`)),
      await refusal(guarded(at('public.test').replace('http', 'https'))),
    ].map(({ message }) => message)
    expect(messages[0]).toContain('unknown.test was not found')
    expect(messages[1]).toContain('public.test refused the connection')
    expect(messages[2]).toContain('no TLS connection to public.test')
    handler = (request) => request.socket.destroy()
    messages.push((await refusal(guarded(at('public.test')))).message)
    expect(messages[3]).toContain('closed the connection without an answer')
    for (const message of messages) expect(message).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  })

  it('stops immediately when its caller aborts', async () => {
    handler = () => {}
    const stop = new AbortController()
    const work = guarded(at('public.test'), { signal: stop.signal })
    await pause(50)
    stop.abort(new Error('enough'))
    await expect(work).rejects.toThrow('enough')
  })
})
