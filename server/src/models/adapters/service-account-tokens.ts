import { importPKCS8, SignJWT } from 'jose'
import { ModelError } from '../model-error.ts'
import type { ServiceAccount } from '../service-account.ts'
import { boundedFetch } from './bounded-fetch.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform'
/** A token is replaced this long before it expires, so that a call does not end with an expired one. */
const marginMs = 60_000

/** Returns a function that gets an access token from the account's token endpoint and keeps it until it expires. */
export function serviceAccountTokens(account: ServiceAccount) {
  let current: { token: string; untilMs: number } | undefined
  return async (signal?: AbortSignal | null): Promise<string> => {
    if (current && Date.now() < current.untilMs) return current.token
    current = await requestToken(account, signal ?? undefined)
    return current.token
  }
}

async function requestToken(account: ServiceAccount, signal: AbortSignal | undefined) {
  const response = await boundedFetch(account.tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await assertionOf(account),
    }),
    ...(signal && { signal }),
  })
  const body = (await response.json().catch(() => undefined)) as
    | { access_token?: unknown; expires_in?: unknown }
    | undefined
  const token = body?.access_token
  if (!response.ok || typeof token !== 'string') {
    const failure = response.status >= 500 ? 'broken' : 'refused'
    throw new ModelError('of vertex', failure, { detail: `the token endpoint answered ${response.status}` })
  }
  const seconds = typeof body?.expires_in === 'number' ? body.expires_in : 0
  return { token, untilMs: Date.now() + seconds * 1000 - marginMs }
}

async function assertionOf({ email, privateKey, keyId, tokenUrl }: ServiceAccount): Promise<string> {
  const key = await importPKCS8(privateKey, 'RS256')
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}
