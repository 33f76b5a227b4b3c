import { type CryptoKey, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import { type IssuerFetches, type KeyLookup, type KeySource, loadKeys } from './issuer-keys.ts'

/** The keys cannot be had at the moment. The cause is for the log: it may tell what is behind an address. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** No key of the issuer fits the token. */
class NoFittingKey extends Error {
  override readonly name = 'NoFittingKey'
}

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
/** Requests to such issuers that are under way, of all applications and of one. Registered issuers do not wait for them. */
const mostUnderWay = 50
const mostUnderWayOfApp = 10

/** The keys of issuers, kept for a while; at most one request is under way for an issuer at a time. */
export class KeySets {
  readonly #options: Required<KeySetOptions>
  readonly #registered = new Map<string, KeySet>()
  /** Least recently used first. */
  readonly #unregistered = new Map<string, KeySet>()
  readonly #underWay = new Map<string, number>()

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
    if (!source.isRegistered && !this.#hasPlace(source.appId)) {
      set.failure = new KeysUnavailable('too many issuers are being asked for their keys')
      return
    }
    const change = (by: number) => {
      const left = (this.#underWay.get(source.appId) ?? 0) + by
      if (left === 0) this.#underWay.delete(source.appId)
      else this.#underWay.set(source.appId, left)
    }
    if (!source.isRegistered) change(1)
    try {
      set.find = await loadKeys(source, this.#options.fetches)
      set.loadedMs = this.#options.now()
      set.failure = undefined
    } catch (error) {
      set.failure = new KeysUnavailable('the keys could not be loaded', { cause: error })
      set.retriedMs = this.#options.now()
    } finally {
      if (!source.isRegistered) change(-1)
    }
  }

  #hasPlace(appId: string): boolean {
    const all = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0)
    return all < mostUnderWay && (this.#underWay.get(appId) ?? 0) < mostUnderWayOfApp
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
