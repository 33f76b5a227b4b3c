import { type CryptoKey, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import { SharedBudget } from '../../lib/shared-budget.ts'
import { type IssuerFetches, type KeyLookup, type KeySource, loadKeys } from './issuer-keys.ts'

/** The keys cannot be loaded at the moment. The cause is only for the log: it may disclose internal addresses. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** No key of the issuer matches the token. */
class NoMatchingKey extends Error {
  override readonly name = 'NoMatchingKey'
}

interface KeySet {
  /** Undefined until the keys were loaded once. */
  find: KeyLookup | undefined
  loadedMs: number
  /** Time of the last request that a missing key, old keys or a failure caused. */
  retriedMs: number
  failure: KeysUnavailable | undefined
  loading: Promise<void> | undefined
}

export interface KeySetOptions {
  fetches: IssuerFetches
  /** A monotonic clock in milliseconds. */
  now?: () => number
  /** Age in milliseconds after which keys are requested again. */
  freshMs?: number
  /** Minimum time in milliseconds between two requests because of missing keys. */
  retryMs?: number
  /** Minimum time in milliseconds between a failed request and the next one. */
  retryAfterFailureMs?: number
}

/** Maximum number of cached issuers without a registration, because anybody can create tokens with new issuers. */
const maxUnregistered = 1_000
/** Maximum number of these issuers that are requested at the same time; one application uses at most half of them. */
const maxUnregisteredLoads = 50

/** A cache of the keys of issuers. At most one request per issuer runs at a time. */
export class KeySets {
  readonly #options: Required<KeySetOptions>
  readonly #registered = new Map<string, KeySet>()
  /** By application; least recently used first. */
  readonly #unregistered = new Map<string, Map<string, KeySet>>()
  readonly #unregisteredLoads = new SharedBudget(maxUnregisteredLoads)

  constructor(options: KeySetOptions) {
    this.#options = {
      now: () => performance.now(),
      freshMs: 600_000,
      retryMs: 30_000,
      retryAfterFailureMs: 5_000,
      ...options,
    }
  }

  /**
   * Returns the key that the header of a token names. If it is unknown, the keys are requested again, at most once per
   * `retryMs`. If the issuer does not respond, the previous keys stay in use.
   *
   * @throws KeysUnavailable, NoMatchingKey
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
    throw set.failure ?? new NoMatchingKey('no key matches')
  }

  #setOf(source: KeySource): KeySet {
    const sets = source.isRegistered ? this.#registered : this.#unregisteredOf(source.appId)
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
    if (!source.isRegistered) this.#forgetOldest()
    return set
  }

  /** Takes from the application with the most issuers, so that its tokens do not displace the issuers of others. */
  #forgetOldest(): void {
    const apps = [...this.#unregistered.values()]
    if (apps.reduce((sum, sets) => sum + sets.size, 0) <= maxUnregistered) return
    const largest = apps.reduce((a, b) => (b.size > a.size ? b : a))
    const [oldest] = largest.keys()
    if (oldest !== undefined) largest.delete(oldest)
  }

  #unregisteredOf(appId: string): Map<string, KeySet> {
    const sets = this.#unregistered.get(appId) ?? new Map<string, KeySet>()
    this.#unregistered.set(appId, sets)
    return sets
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
    const { now, retryMs, retryAfterFailureMs } = this.#options
    return now() - retriedMs >= (failure ? retryAfterFailureMs : retryMs)
  }

  /** Concurrent requests share one fetch. Never rejects; a failure is stored in `failure`. */
  #load(source: KeySource, set: KeySet): Promise<void> {
    set.loading ??= this.#fetch(source, set).finally(() => {
      set.loading = undefined
    })
    return set.loading
  }

  async #fetch(source: KeySource, set: KeySet): Promise<void> {
    const leave = source.isRegistered ? () => {} : this.#unregisteredLoads.take([source.appId], 1)
    if (!leave) {
      set.failure = new KeysUnavailable('the keys of too many issuers are being loaded')
      return
    }
    try {
      set.find = await loadKeys(source, this.#options.fetches)
      set.loadedMs = this.#options.now()
      set.failure = undefined
    } catch (error) {
      set.failure = new KeysUnavailable('the keys could not be loaded', { cause: error })
      set.retriedMs = this.#options.now()
    } finally {
      leave()
    }
  }
}

/**
 * Returns undefined if no key matches.
 * @throws NoMatchingKey if several keys match, or the matching key is unusable
 */
async function lookUp(
  { find }: KeySet,
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  try {
    return await find?.(header, token)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined
    throw new NoMatchingKey('the key set has no usable key for it', { cause: error })
  }
}
