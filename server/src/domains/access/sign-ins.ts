import type { SignIn } from '@cairn/contract'
import { keyedHash } from '../../lib/hash.ts'
import { newSecret } from '../../lib/ids.ts'
import { toIso } from '../../lib/time.ts'
import type { SignInStore } from './store-sign-ins.ts'

/** The lifetime of a session, in seconds. */
export const sessionSeconds = 7 * 24 * 3600

/**
 * Sessions of the dashboard. The cookie contains the secret of the session; the database contains its hash with the admin
 * token as the key. So a change of the admin token ends all sessions.
 */
export class SignIns {
  readonly #store: SignInStore
  readonly #adminToken: string

  constructor(store: SignInStore, adminToken: string) {
    this.#store = store
    this.#adminToken = adminToken
  }

  /** Creates a session. The secret is only for the cookie. */
  async create(): Promise<{ secret: string; session: SignIn }> {
    const secret = newSecret()
    const now = Date.now()
    const expiresAt = now + sessionSeconds * 1000
    await this.#store.insert({ secret_hash: this.#hash(secret), created_at: now, expires_at: expiresAt })
    return { secret, session: { signed_in: true, expires_at: toIso(expiresAt) } }
  }

  /** Returns the session with this secret; `signed_in` is false if it has expired, was ended or never existed. */
  async find(secret: string | undefined): Promise<SignIn> {
    const row = secret === undefined ? undefined : await this.#store.find(this.#hash(secret))
    if (!row || row.expires_at <= Date.now()) return { signed_in: false, expires_at: null }
    return { signed_in: true, expires_at: toIso(row.expires_at) }
  }

  /** Deletes the session with this secret, if there is one. */
  async end(secret: string | undefined): Promise<SignIn> {
    if (secret !== undefined) await this.#store.delete(this.#hash(secret))
    return { signed_in: false, expires_at: null }
  }

  #hash(secret: string): string {
    return keyedHash(this.#adminToken, secret)
  }
}
