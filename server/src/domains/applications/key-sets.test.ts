import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGuardedFetch, OutgoingError } from '../../lib/guarded-fetch.ts'
import { KeySets, KeysUnavailable } from './key-sets.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const discovery = '/.well-known/openid-configuration'

/** In this test, 127.0.0.1 counts as a public address, 127.0.0.2 as a private one. The server listens on both. */
describe('key sets of issuers from tokens', () => {
  let port: number
  let key: JWK
  let answers: Record<string, Handler>
  let asked: string[]
  let lookups: string[]
  let addressOf: (host: string) => string
  const server = createServer((request, response) => {
    asked.push(`${request.socket.localAddress} ${request.url}`)
    const answer = answers[request.url ?? '']
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })

  beforeAll(async () => {
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    key = { ...(await exportJWK((await generateKeyPair('RS256')).publicKey)), kid: 'first', alg: 'RS256' }
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    ;[asked, lookups] = [[], []]
    addressOf = (host) => (host === 'private.test' ? '127.0.0.2' : '127.0.0.1')
    const of = issuer()
    answers = {
      [discovery]: json({ issuer: of, jwks_uri: `${of}/keys` }),
      '/keys': json({ keys: [key] }),
    }
  })

  const issuer = (host = 'issuer.test') => `http://${host}:${port}`
  const json =
    (value: unknown): Handler =>
    (_, response) =>
      void response.end(JSON.stringify(value))
  const redirect =
    (location: string): Handler =>
    (_, response) =>
      void response.writeHead(302, { location }).end()

  function find(isRegistered = false): Promise<unknown> {
    const policy = {
      allowHttp: true,
      resolve: async (host: string) => {
        lookups.push(host)
        return [{ address: addressOf(host), family: 4 }]
      },
    }
    const guarded = createGuardedFetch({ ...policy, isAllowed: (address) => address === '127.0.0.1' })
    const registered = createGuardedFetch({ ...policy, isAllowed: () => true })
    const source = { issuer: issuer(), jwksUri: null, isRegistered, appId: 'app' }
    const header = { alg: 'RS256', kid: 'first' }
    return new KeySets({ fetches: { guarded, registered } }).find(source, header, {
      payload: '',
      signature: '',
    })
  }

  async function refusal(work: Promise<unknown>): Promise<unknown> {
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(KeysUnavailable)
    return (error as KeysUnavailable).cause
  }
  const isPrivate = (cause: unknown) => cause instanceof OutgoingError && cause.reason === 'private'

  it('are found through the discovery document, with redirects to public addresses', async () => {
    answers['/keys'] = redirect(`${issuer('elsewhere.test')}/real`)
    answers['/real'] = json({ keys: [key] })
    expect(await find()).toMatchObject({ type: 'public' })
    expect(asked).toEqual([`127.0.0.1 ${discovery}`, '127.0.0.1 /keys', '127.0.0.1 /real'])
  })

  it.each([
    [discovery, 'the issuer', false],
    ['/keys', 'the key set', false],
    [discovery, 'a registered issuer', true],
    ['/keys', 'the key set of a registered issuer', true],
  ])(
    'are not requested from a private address after a redirect of %s (%s)',
    async (path, _, isRegistered) => {
      answers[path] = redirect(`${issuer('private.test')}/secret`)
      answers['/secret'] = json({ keys: [key] })
      expect(await refusal(find(isRegistered))).toSatisfy(isPrivate)
      expect(asked.filter((line) => line.includes('127.0.0.2'))).toEqual([])
    },
  )

  it('are not requested from a private address in the discovery document', async () => {
    answers[discovery] = json({ issuer: issuer(), jwks_uri: `${issuer('private.test')}/keys` })
    for (const isRegistered of [false, true]) expect(await refusal(find(isRegistered))).toSatisfy(isPrivate)
    expect(asked.filter((line) => line.includes('127.0.0.2'))).toEqual([])
  })

  it('of a registered issuer are requested from its own private address, with redirects to itself', async () => {
    addressOf = () => '127.0.0.2'
    answers['/keys'] = redirect('/real')
    answers['/real'] = json({ keys: [key] })
    expect(await find(true)).toMatchObject({ type: 'public' })
    expect(await refusal(find())).toSatisfy(isPrivate)
  })

  it('are not requested from a host name that resolves to a public address first and to a private one later', async () => {
    addressOf = () => (lookups.length === 1 ? '127.0.0.1' : '127.0.0.2')
    expect(await refusal(find())).toSatisfy(isPrivate)
    expect(lookups).toEqual(['issuer.test', 'issuer.test'])
    expect(asked).toEqual([`127.0.0.1 ${discovery}`])
  })

  it('of one application do not displace the cached issuers of another', async () => {
    const policy = {
      allowHttp: true,
      isAllowed: () => true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    }
    const guarded = createGuardedFetch(policy)
    const sets = new KeySets({ fetches: { guarded, registered: guarded } })
    const token = { payload: '', signature: '' }
    const findFor = (appId: string, of: string) =>
      sets.find(
        { issuer: of, jwksUri: null, isRegistered: false, appId },
        { alg: 'RS256', kid: 'first' },
        token,
      )
    await findFor('victim', issuer())
    const times = asked.length
    for (let i = 0; i < 1_100; i += 10) {
      const others = Array.from({ length: 10 }, (_, j) => findFor('attacker', `https://127.0.0.1:1/${i + j}`))
      for (const other of await Promise.allSettled(others)) expect(other.status).toBe('rejected')
    }
    await findFor('victim', issuer())
    expect(asked).toHaveLength(times)
  })

  it('are rejected after too many redirects, keys or bytes', async () => {
    answers['/keys'] = redirect('/keys')
    await refusal(find())
    expect(asked.filter((line) => line.endsWith('/keys'))).toHaveLength(3)
    answers['/keys'] = json({ keys: Array.from({ length: 101 }, () => key) })
    expect(String(await refusal(find()))).toContain('more than 100 keys')
    let closed = false
    answers['/keys'] = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
      }
      response.on('drain', more).on('close', () => (closed = true))
      more()
    }
    expect(String(await refusal(find()))).toContain('more than 262144 bytes')
    await vi.waitFor(() => expect(closed).toBe(true))
  })
})
