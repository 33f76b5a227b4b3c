import { createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, exportSPKI, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Api } from '../support/api.ts'
import { asUser, registerApp } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { audience, type Issuer, type SigningKey, signingKey, startIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const now = () => Math.floor(Date.now() / 1000)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token whose signature is made with a text as an HMAC key, or not at all. */
function handMade(header: object, payload: object, secret?: string): string {
  const signed = `${encode(header)}.${encode(payload)}`
  const signature =
    secret === undefined ? '' : createHmac('sha256', secret).update(signed).digest('base64url')
  return `${signed}.${signature}`
}

describe.each(sharedServers.slice(0, 1))('an ID token', ({ server }) => {
  let issuer: Issuer
  let stranger: Issuer
  let appId: string
  let key: SigningKey
  let otherKey: SigningKey

  beforeAll(async () => {
    issuer = await startIssuer()
    stranger = await startIssuer()
    key = issuer.keys[0] as SigningKey
    otherKey = await signingKey('first')
  })
  beforeEach(async () => {
    appId = (await registerApp(server.url, issuer.url)).app_id
  })
  afterAll(async () => {
    await issuer?.close()
    await stranger?.close()
  })

  const call = (token: string, app = appId) => asUser(server.url, app, token).get('/v1/me/profile')
  const status = async (token: string, app?: string) => (await call(token, app)).status
  const claims = () => ({ iss: issuer.url, aud: audience, sub: 'ann', iat: now(), exp: now() + 600 })

  it('is accepted if everything is valid, with a small clock difference', async () => {
    for (const good of [
      {},
      { aud: [audience, 'another'] },
      { exp: now() - 30 },
      { nbf: now() + 30 },
      { iat: now() + 30 },
      { azp: 'somebody else' },
    ]) {
      expect([await status(await issuer.token('ann', { claims: good })), good]).toEqual([200, good])
    }
  })

  it('that has expired is reported as expired only if it was valid', async () => {
    const expired = { exp: now() - 90 }
    const good = await call(await issuer.token('ann', { claims: expired }))
    expectRefusal(good, { status: 401, project: false, names: 'Unauthorized: the token has expired' })
    const forged = await call(await issuer.token('ann', { claims: expired, key: otherKey }))
    expectRefusal(forged, { status: 401, project: false, names: 'Unauthorized: the token is invalid' })
  })

  it('is reported only as invalid, for any other defect', async () => {
    const pem = await exportSPKI(
      (await importJWK(key.jwk as JWK, 'RS256', { extractable: true })) as CryptoKey,
    )
    const good = await issuer.token('ann')
    const [head = '', body = '', signature = ''] = good.split('.')
    const claimed = (values: Record<string, unknown>) => issuer.token('ann', { claims: values })
    const headed = (header: Record<string, unknown>) => issuer.token('ann', { header })
    const theirs = await startIssuer()
    const bad: Record<string, string> = {
      'no token': 'x',
      'two parts': `${head}.${body}`,
      'not JSON': `${Buffer.from('x').toString('base64url')}.${body}.${signature}`,
      'no algorithm': handMade({ alg: 'none' }, claims()),
      'no algorithm, other case': handMade({ alg: 'nOnE', kid: 'first' }, claims()),
      'the public key as an HMAC secret': handMade({ alg: 'HS256', kid: 'first' }, claims(), pem),
      'the modulus as an HMAC secret': handMade({ alg: 'HS256', kid: 'first' }, claims(), String(key.jwk.n)),
      'a key of somebody else': await issuer.token('ann', { key: otherKey }),
      'an unknown key id': await issuer.token('ann', { header: { kid: 'nobody' } }),
      'an algorithm that is not allowed': await issuer.token('ann', {
        key: await signingKey('first', 'PS256'),
      }),
      'its own key in the header': await issuer.token('ann', {
        key: otherKey,
        header: { jwk: otherKey.jwk },
      }),
      'the address of another key set': await issuer.token('ann', {
        key: otherKey,
        header: { jku: `${theirs.url}/keys`, x5u: `${theirs.url}/keys` },
      }),
      'a critical header that is not known': await headed({ crit: ['x'], x: 1 }),
      'another issuer': await claimed({ iss: stranger.url }),
      'an issuer that only looks alike': await claimed({ iss: `${issuer.url}/` }),
      'no issuer': await claimed({ iss: undefined }),
      'another audience': await claimed({ aud: 'another' }),
      'no audience': await claimed({ aud: undefined }),
      'an empty audience': await claimed({ aud: [] }),
      'no expiry': await claimed({ exp: undefined }),
      'an expiry that is a text': handMade(
        { alg: 'RS256', kid: 'first' },
        { ...claims(), exp: 'never' },
        'x',
      ),
      'not yet valid': await claimed({ nbf: now() + 90 }),
      'no subject': await claimed({ sub: undefined }),
      'an empty subject': await claimed({ sub: '' }),
      'a subject that is a number': await claimed({ sub: 7 as unknown }),
      'a signature of another token': `${(await issuer.token('bob')).split('.').slice(0, 2).join('.')}.${signature}`,
      'a changed subject': `${head}.${encode({ ...claims(), sub: 'bob' })}.${signature}`,
      'no signature': `${head}.${body}.`,
      'a huge one': await claimed({ filler: 'x'.repeat(9_500) }),
    }
    for (const [what, token] of Object.entries(bad)) {
      const answer = await call(token)
      const names = what === 'no token' ? 'Unauthorized: ' : 'Unauthorized: the token is invalid'
      expectRefusal(answer, { status: 401, project: false, names }, what)
      expect(answer.headers.get('www-authenticate'), what).toBe('Bearer')
    }
    expectRefusal(await call('x'.repeat(20_000)), { status: 431, project: false })
    expect(theirs.asked).toEqual([])
    await theirs.close()
    expect(await status(good)).toBe(200)
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'by %s is accepted if the algorithm is allowed, also without a key id if one key matches',
    async (alg) => {
      const own = await startIssuer()
      own.keys = [await signingKey('only', alg)]
      const { app_id } = await registerApp(server.url, own.url, { alg_allowlist: JSON.stringify([alg]) })
      expect(await status(await own.token('ann'), app_id)).toBe(200)
      expect(await status(await own.token('ann', { header: { kid: undefined } }), app_id)).toBe(200)
      await own.close()
    },
  )

  it('with an ambiguous key is not tried with each matching key', async () => {
    const own = await startIssuer()
    own.keys = [await signingKey('same'), await signingKey('same')]
    const { app_id } = await registerApp(server.url, own.url)
    expect(await status(await own.token('ann', { header: { kid: undefined } }), app_id)).toBe(401)
    expect(await status(await own.token('ann'), app_id)).toBe(401)
    await own.close()
  })

  it('is not verified with a key whose size would keep a thread of the server busy', async () => {
    const own = await startIssuer()
    const { app_id } = await registerApp(server.url, own.url)
    const { privateKey, jwk } = own.keys[0] as SigningKey
    const { p, q } = (await exportJWK(privateKey)) as { p: string; q: string }
    const numberOf = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
    // An exponent that verifies the same signatures, with as many bits as the modulus.
    const exponent = 65_537n + (numberOf(p) - 1n) * (numberOf(q) - 1n)
    const hex = exponent.toString(16)
    jwk.e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
    expect(await status(await own.token('ann'), app_id)).toBe(401)
    await own.close()
  })

  it.each([
    ['of 10,000 keys', JSON.stringify({ keys: Array.from({ length: 10_000 }, () => ({ kty: 'RSA' })) })],
    ['that is no JSON', '<html>'],
    ['that is no key set', '[]'],
    ['with keys that are none', '{"keys":[1]}'],
  ])('gets an error soon with a key set %s', async (_, body) => {
    const own = await startIssuer()
    const { app_id } = await registerApp(server.url, own.url)
    own.answers.set('/keys', (_request, response) => void response.end(body))
    expectRefusal(await call(await own.token('ann'), app_id), { status: 503, project: false })
    await own.close()
  })

  it('times out if its issuer never ends its response, and other requests are served meanwhile', async () => {
    const own = await startIssuer()
    const { app_id } = await registerApp(server.url, own.url)
    own.answers.set('/keys', (_request, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    })
    const slow = call(await own.token('ann'), app_id)
    expect(await status(await issuer.token('ann'))).toBe(200)
    expectRefusal(await slow, { status: 503, project: false })
    await own.close()
  })

  it('with an arbitrary issuer is rejected without a request to a private address', async () => {
    const { app_id } = await registerApp(server.url, 'DYNAMIC')
    const redirecting = stranger.url.replace('127.0.0.1', 'localhost')
    const issuers = [
      stranger.url,
      redirecting,
      'https://127.0.0.1',
      'https://[::ffff:127.0.0.1]',
      'https://2130706433',
      'https://0x7f.1',
      'https://169.254.169.254',
      'https://10.0.0.1',
      'https://[fd00::1]',
      'https://metadata.google.internal',
      'file:///etc/passwd',
      'not a url',
    ]
    for (const iss of issuers) {
      const answer = await call(await issuer.token('ann', { claims: { iss } }), app_id)
      expectRefusal(answer, { status: 401, project: false, names: 'Unauthorized: the token is invalid' }, iss)
    }
    expect(stranger.asked).toEqual([])
  })
})

describe('an ID token of any issuer, with http allowed for development', () => {
  let server: Server
  let one: Issuer
  let two: Issuer
  let appId: string

  beforeAll(async () => {
    ;[one, two] = await Promise.all([startIssuer(), startIssuer()])
    server = await startServer({ env: { CAIRN_ALLOW_INSECURE_ISSUERS: 'true' } })
    appId = (await registerApp(server.url, 'DYNAMIC')).app_id
  })
  afterAll(async () => {
    await server?.stop()
    await one?.close()
    await two?.close()
  })

  const call = (token: string) => asUser(server.url, appId, token).get('/v1/me/profile')

  it('is verified with the keys of its issuer; equal subjects of two issuers are two users', async () => {
    const ann = (await call(await one.token('ann'))).body
    const other = (await call(await two.token('ann'))).body
    expect(ann).toMatchObject({ issuer: one.url, external_user_id: 'ann' })
    expect(other).toMatchObject({ issuer: two.url, external_user_id: 'ann' })
    expect(other.user_id).not.toBe(ann.user_id)
    const forged = await one.token('ann', { claims: { iss: two.url } })
    expectRefusal(await call(forged), { status: 401, project: false })
  })

  it('is rejected if the discovery document belongs to another issuer or has no valid key set', async () => {
    const discovery = '/.well-known/openid-configuration'
    const documents = [
      { issuer: one.url, jwks_uri: `${one.url}/keys` },
      { issuer: `${two.url}/`, jwks_uri: `${two.url}/keys` },
      { issuer: two.url },
      { issuer: two.url, jwks_uri: 'file:///etc/passwd' },
      null,
    ]
    for (const document of documents) {
      const liar = await startIssuer()
      const text = JSON.stringify(document)?.replaceAll(two.url, liar.url)
      liar.answers.set(discovery, (_request, response) => void response.end(text))
      expectRefusal(await call(await liar.token('ann')), { status: 401, project: false }, text)
      await liar.close()
    }
  })

  it('that names an issuer which hangs keeps nobody of another application from signing in', async () => {
    const [silent, registered, dynamic] = [await startIssuer(), await startIssuer(), await startIssuer()]
    const hostile = await Promise.all(Array.from({ length: 6 }, () => registerApp(server.url, 'DYNAMIC')))
    const apps = [
      await registerApp(server.url, registered.url),
      await registerApp(server.url, 'DYNAMIC'),
    ] as const
    let refused = 0
    const hang = async (_: unknown, at: number) => {
      const iss = `${silent.url}/${at}`
      silent.answers.set(`/${at}/.well-known/openid-configuration`, () => {})
      const { app_id } = hostile[at % hostile.length] as { app_id: string }
      const token = await silent.token('eve', { claims: { iss } })
      const refusal = await asUser(server.url, app_id, token).get('/v1/me/profile')
      expectRefusal(refusal, { status: 401, project: false })
      refused++
    }
    const hanging = Promise.all(Array.from({ length: 120 }, hang))
    // Tokens without a place are rejected at once. From now on, all places are taken.
    await vi.waitUntil(() => refused >= 30)
    const status = async (app: { app_id: string }, issuer: Issuer) =>
      (await asUser(server.url, app.app_id, await issuer.token('ann')).get('/v1/me/profile')).status
    expect([await status(apps[0], registered), await status(apps[1], dynamic)]).toEqual([200, 200])
    for (const issuer of [silent, registered, dynamic]) await issuer.close()
    await hanging
  })

  it('is rejected after an administrator has limited the issuers to others', async () => {
    const { app_id } = await registerApp(server.url, 'DYNAMIC')
    const status = async (issuer: Issuer) =>
      (await asUser(server.url, app_id, await issuer.token('ann')).get('/v1/me/profile')).status
    expect([await status(one), await status(two)]).toEqual([200, 200])
    await Api.admin(server.url).ok('PATCH', `/v1/console/apps/${app_id}`, { allowed_issuers: [one.url] })
    expect([await status(one), await status(two)]).toEqual([200, 401])
    await Api.admin(server.url).ok('PATCH', `/v1/console/apps/${app_id}`, { allowed_issuers: [] })
    expect([await status(one), await status(two)]).toEqual([200, 200])
  })
})
