import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
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
}

/** The keys cannot be had at the moment. The cause is for the log: it may tell what is behind an address. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** No key of the issuer fits the token. */
class NoFittingKey extends Error {
  override readonly name = 'NoFittingKey'
}

type KeyLookup = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

interface KeySet {
  find: KeyLookup | undefined
  loadedMs: number
  /** When keys were last asked for because one was missing, or could not be had. */
  retriedMs: number
  failure: KeysUnavailable | undefined
  loading: Promise<void> | undefined
}

export interface KeySetOptions {
  fetches: IssuerFetches
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
  /** After so many milliseconds keys are asked for again. */
  freshMs?: number
  /** Least time between two requests that missing keys cause. */
  floorMs?: number
  /** Least time between two requests after one that failed. */
  failureFloorMs?: number
}

/** Issuers that only tokens name: anybody can make such tokens. */
const mostUnregistered = 1_000
const mostUnderWay = 50
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

/** The keys of issuers, kept for a while; at most one request is under way for an issuer at a time. */
export class KeySets {
  readonly #options: Required<KeySetOptions>
  readonly #registered = new Map<string, KeySet>()
  /** Least recently used first. */
  readonly #unregistered = new Map<string, KeySet>()
  #underWay = 0

  constructor(options: KeySetOptions) {
    this.#options = {
      now: () => performance.now(),
      freshMs: 600_000,
      floorMs: 30_000,
      failureFloorMs: 5_000,
      ...options,
    }
  }

  /**
   * The key that a token says it was signed with. An unknown one is looked for once more at the issuer, though not more
   * often than every so often; an issuer that does not answer leaves the keys as they were.
   *
   * @throws KeysUnavailable, NoFittingKey
   */
  async find(source: KeySource, header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const set = this.#setOf(source)
    const { now, freshMs } = this.#options
    if (!set.find) await this.#loadFirst(source, set)
    else if (now() - set.loadedMs > freshMs) await this.#retry(source, set)
    const known = await lookUp(set, header, token)
    if (known) return known
    await this.#retry(source, set)
    const found = await lookUp(set, header, token)
    if (found) return found
    throw set.failure ?? new NoFittingKey('no key fits')
  }

  #setOf(source: KeySource): KeySet {
    const sets = source.isRegistered ? this.#registered : this.#unregistered
    const name = JSON.stringify([source.issuer, source.jwksUri])
    const set = sets.get(name) ?? {
      find: undefined,
      loadedMs: Number.NEGATIVE_INFINITY,
      retriedMs: Number.NEGATIVE_INFINITY,
      failure: undefined,
      loading: undefined,
    }
    sets.delete(name)
    sets.set(name, set)
    const [oldest] = sets.keys()
    if (!source.isRegistered && sets.size > mostUnregistered && oldest !== undefined) sets.delete(oldest)
    return set
  }

  async #loadFirst(source: KeySource, set: KeySet): Promise<void> {
    if (set.failure && !set.loading && !this.#mayRetry(set)) throw set.failure
    await this.#load(source, set)
    if (!set.find) throw set.failure ?? new KeysUnavailable('the keys could not be loaded')
  }

  async #retry(source: KeySource, set: KeySet): Promise<void> {
    if (!set.loading && !this.#mayRetry(set)) return
    if (!set.loading) set.retriedMs = this.#options.now()
    await this.#load(source, set)
  }

  #mayRetry({ retriedMs, failure }: KeySet): boolean {
    const { now, floorMs, failureFloorMs } = this.#options
    return now() - retriedMs >= (failure ? failureFloorMs : floorMs)
  }

  /** Requests at the same time share one fetch. Never rejects: `failure` tells. */
  #load(source: KeySource, set: KeySet): Promise<void> {
    set.loading ??= this.#fetch(source, set).finally(() => {
      set.loading = undefined
    })
    return set.loading
  }

  async #fetch(source: KeySource, set: KeySet): Promise<void> {
    if (this.#underWay >= mostUnderWay) {
      set.failure = new KeysUnavailable('too many issuers are being asked for their keys')
      return
    }
    this.#underWay++
    try {
      set.find = await loadKeys(source, this.#options.fetches)
      set.loadedMs = this.#options.now()
      set.failure = undefined
    } catch (error) {
      set.failure = new KeysUnavailable('the keys could not be loaded', { cause: error })
      set.retriedMs = this.#options.now()
    } finally {
      this.#underWay--
    }
  }
}

/** Undefined when no key fits. Several that fit are none: it is not said which one is meant. */
async function lookUp(
  { find }: KeySet,
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  try {
    return await find?.(header, token)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined
    throw new NoFittingKey('the key set has no usable key for it', { cause: error })
  }
}

type FetchOf = (url: string) => GuardedFetch

async function loadKeys(
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
