import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  type CryptoKey,
  createLocalJWKSet,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWK,
  type JWSHeaderParameters,
} from 'jose'
import {
  createGuardedFetch,
  type GuardedFetch,
  OutgoingError,
  type OutgoingPolicy,
} from '../../lib/guarded-fetch.ts'

/** The location of the keys of an issuer. */
export interface KeySource {
  issuer: string
  /** The address of the key set from the registration of the application; null to use the issuer's discovery document. */
  jwksUri: string | null
  /** An administrator registered the issuer, so it may be in a private network, and use http on this machine. */
  isRegistered: boolean
  /** The application that the token is for. */
  appId: string
}

export type KeyLookup = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

const maxKeys = 100
const discoveryPath = '.well-known/openid-configuration'
const maxDiscoveryBytes = 64 * 1024
const maxKeySetBytes = 256 * 1024
const connectMs = 3_000
/** Time limit for one document, including redirects. */
const totalMs = 5_000
const maxRedirects = 2

/** Fetches for addresses of issuers. The source of an address determines its fetch. */
export interface IssuerFetches {
  /** For addresses from a token or from a document of an issuer. */
  guarded: GuardedFetch
  /** For addresses from an administrator. */
  registered: GuardedFetch
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}

export function createIssuerFetches(policy: OutgoingPolicy): IssuerFetches {
  const overTls = createGuardedFetch({ ...policy, isAllowed: () => true })
  const onThisMachine = createGuardedFetch({ ...policy, allowHttp: true, isAllowed: isLoopback })
  const guarded = createGuardedFetch(policy)
  return {
    guarded,
    registered: policy.allowHttp
      ? guarded
      : (url, request) => (url.startsWith('http:') ? onThisMachine : overTls)(url, request),
  }
}

type FetchOf = (url: string) => GuardedFetch

/**
 * Loads the current keys of an issuer.
 * @throws OutgoingError, or Error for an invalid document
 */
export async function loadKeys(
  { issuer, jwksUri, isRegistered }: KeySource,
  fetches: IssuerFetches,
): Promise<KeyLookup> {
  const registeredOrigins = [issuer, ...(jwksUri === null ? [] : [jwksUri])].map((url) => new URL(url).origin)
  // Addresses on the origin of a registered issuer are trusted like the registration. Addresses elsewhere are guarded.
  const fetchOf: FetchOf = (url) =>
    isRegistered && registeredOrigins.includes(new URL(url).origin) ? fetches.registered : fetches.guarded
  const url = jwksUri ?? (await discover(issuer, fetchOf))
  const document = await fetchJson(url, maxKeySetBytes, fetchOf)
  if (!isKeySet(document)) throw new Error('the key set has no list of keys')
  if (document.keys.length > maxKeys) throw new Error(`the key set has more than ${maxKeys} keys`)
  return createLocalJWKSet({ keys: document.keys.filter(isOfUsualSize) })
}

/** Reads the address of the key set (OpenID Connect Discovery 1.0). The document must contain the requested issuer. */
async function discover(issuer: string, fetchOf: FetchOf): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/${discoveryPath}`
  const document = (await fetchJson(url, maxDiscoveryBytes, fetchOf)) as Record<string, unknown> | null
  if (document?.issuer !== issuer) throw new Error('the discovery document belongs to another issuer')
  if (typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri)) {
    throw new Error('the discovery document contains no valid jwks_uri')
  }
  return document.jwks_uri
}

/** Follows redirects itself, because each address has its own fetch. */
async function fetchJson(first: string, maxBytes: number, fetchOf: FetchOf): Promise<unknown> {
  const request = { headers: { accept: 'application/json' }, maxBytes, connectMs, totalMs }
  const signal = AbortSignal.timeout(totalMs)
  let url = first
  for (let hop = 0; ; hop++) {
    const { status, headers, body, truncated } = await fetchOf(url)(url, { ...request, signal })
    if (status >= 300 && status < 400 && headers.location !== undefined && hop < maxRedirects) {
      url = new URL(headers.location, url).href
      continue
    }
    if (status !== 200) throw new OutgoingError('unreachable', `status ${status}`)
    if (truncated) throw new OutgoingError('unreachable', `more than ${maxBytes} bytes`)
    return JSON.parse(body.toString('utf8'))
  }
}

/**
 * Lengths in base64url: 8,192 bits of modulus, 64 bits of exponent. A larger exponent keeps a thread of the process busy
 * for up to 0.1 s with each signature, and all signatures and files share these few threads.
 */
const maxRsa = { modulus: 1_366, exponent: 11 }

function isOfUsualSize({ n, e }: JWK): boolean {
  return (n?.length ?? 0) <= maxRsa.modulus && (e?.length ?? 0) <= maxRsa.exponent
}

function isKeySet(document: unknown): document is JSONWebKeySet {
  const { keys } = (document ?? {}) as { keys?: unknown }
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)
}
