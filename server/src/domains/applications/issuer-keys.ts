import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  type CryptoKey,
  createLocalJWKSet,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose'
import {
  createGuardedFetch,
  type GuardedFetch,
  OutgoingError,
  outgoingPolicy,
} from '../../lib/guarded-fetch.ts'

/** Where the keys of an issuer are. */
export interface KeySource {
  issuer: string
  /** Of the application's registration; without it, the issuer's discovery document tells. */
  jwksUri: string | null
  /** An administrator named the issuer: it may be in a private network, and http on this machine. */
  isRegistered: boolean
  /** The application that the token is for. */
  appId: string
}

export type KeyLookup = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

const mostKeys = 100
const discoveryPath = '.well-known/openid-configuration'
const discoveryBytes = 64 * 1024
const keySetBytes = 256 * 1024
const connectMs = 3_000
/** For one document, redirects included. */
const totalMs = 5_000
const mostRedirects = 2

/** Fetches for addresses of issuers, by who named them. */
export interface IssuerFetches {
  /** Named by a token, or by an issuer's own document. */
  guarded: GuardedFetch
  /** Named by an administrator. */
  registered: GuardedFetch
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}

export function createIssuerFetches(allowInsecure: boolean): IssuerFetches {
  const policy = outgoingPolicy(allowInsecure)
  const overTls = createGuardedFetch({ ...policy, isAllowed: () => true })
  const onThisMachine = createGuardedFetch({ ...policy, allowHttp: true, isAllowed: isLoopback })
  const guarded = createGuardedFetch(policy)
  return {
    guarded,
    registered: allowInsecure
      ? guarded
      : (url, request) => (url.startsWith('http:') ? onThisMachine : overTls)(url, request),
  }
}

type FetchOf = (url: string) => GuardedFetch

/** The keys that an issuer publishes now. */
export async function loadKeys(
  { issuer, jwksUri, isRegistered }: KeySource,
  fetches: IssuerFetches,
): Promise<KeyLookup> {
  const own = [issuer, ...(jwksUri === null ? [] : [jwksUri])].map((url) => new URL(url).origin)
  // What a registered issuer says of itself is as good as its registration; where it leads away from itself is not.
  const fetchOf: FetchOf = (url) =>
    isRegistered && own.includes(new URL(url).origin) ? fetches.registered : fetches.guarded
  const url = jwksUri ?? (await discover(issuer, fetchOf))
  const document = await fetchJson(url, keySetBytes, fetchOf)
  if (!isKeySet(document)) throw new Error('the key set has no list of keys')
  if (document.keys.length > mostKeys) throw new Error(`the key set has more than ${mostKeys} keys`)
  return createLocalJWKSet(document)
}

/** OpenID Connect Discovery 1.0: the document must be of the issuer that was asked. */
async function discover(issuer: string, fetchOf: FetchOf): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/${discoveryPath}`
  const document = (await fetchJson(url, discoveryBytes, fetchOf)) as Record<string, unknown> | null
  if (document?.issuer !== issuer) throw new Error('the discovery document is of another issuer')
  if (typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri)) {
    throw new Error('the discovery document names no key set')
  }
  return document.jwks_uri
}

/** Follows redirects itself: each is fetched by who it leads to. */
async function fetchJson(first: string, maxBytes: number, fetchOf: FetchOf): Promise<unknown> {
  const request = { headers: { accept: 'application/json' }, maxBytes, connectMs, totalMs }
  const signal = AbortSignal.timeout(totalMs)
  let url = first
  for (let hop = 0; ; hop++) {
    const { status, headers, body, truncated } = await fetchOf(url)(url, { ...request, signal })
    if (status >= 300 && status < 400 && headers.location !== undefined && hop < mostRedirects) {
      url = new URL(headers.location, url).href
      continue
    }
    if (status !== 200) throw new OutgoingError('unreachable', `status ${status}`)
    if (truncated) throw new OutgoingError('unreachable', `more than ${maxBytes} bytes`)
    return JSON.parse(body.toString('utf8'))
  }
}

function isKeySet(document: unknown): document is JSONWebKeySet {
  const { keys } = (document ?? {}) as { keys?: unknown }
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)
}
