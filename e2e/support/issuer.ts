import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

/** A key pair of an issuer, with the public key as in the key set. */
export interface SigningKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  jwk: JWK
}

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

interface TokenOptions {
  key?: SigningKey
  header?: Record<string, unknown>
  /** Additional claims, which override the usual ones; undefined removes a claim. */
  claims?: Record<string, unknown>
}

/** An identity provider on loopback with a discovery document, a key set and tokens. */
export interface Issuer {
  url: string
  /** The current key set. */
  keys: SigningKey[]
  /** The requested paths. */
  asked: string[]
  /** Responses that replace the usual ones, by path. */
  answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  token(subject: string, options?: TokenOptions): Promise<string>
  close(): Promise<void>
}

export const audience = 'the-client'

export async function startIssuer(): Promise<Issuer> {
  const first = await signingKey('first')
  const answers: Issuer['answers'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const given = answers.get(path)
    if (given) return given(request, response)
    const body = documents()[path]
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  // An issuer that is not closed must not keep the tests running.
  server.unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const documents = (): Record<string, unknown> => ({
    '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
    '/keys': { keys: issuer.keys.map(({ jwk }) => jwk) },
  })
  const issuer: Issuer = {
    url,
    keys: [first],
    asked,
    answers,
    async token(subject, { key = issuer.keys[0] ?? first, header, claims } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const usual = { iss: url, aud: audience, sub: subject, iat: now, exp: now + 600 }
      const payload = Object.fromEntries(
        Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
      ) as JWTPayload
      return new SignJWT(payload)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
        .sign(key.privateKey, { crit: { x: true } })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return issuer
}

let shared: Promise<Issuer> | undefined

/** An issuer for tests that need any user. */
export function someIssuer(): Promise<Issuer> {
  shared ??= startIssuer()
  return shared
}
