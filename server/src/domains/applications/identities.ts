import { CairnError, type Profile } from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { sha256 } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import type { UserPrincipal } from '../../lib/principals.ts'
import type { KeySets } from './key-sets.ts'
import { newUserId } from './service.ts'
import type { ApplicationRow, ApplicationStore, KnownUser } from './store.ts'
import { checkIdToken, type TokenIdentity } from './tokens.ts'

/** The maximum time in milliseconds until this process notices a change of an application by another process. */
const cacheMs = 5_000
const maxCachedApplications = 1_000

/** Identifies end users by their ID tokens. The first request of a user creates the user and their private chat. */
export class Identities {
  readonly #store: ApplicationStore
  readonly #keySets: KeySets
  readonly #apps = new ExpiringCache<ApplicationRow>(cacheMs, maxCachedApplications)

  constructor(store: ApplicationStore, keySets: KeySets) {
    this.#store = store
    this.#keySets = keySets
  }

  /** Clears the cache of applications. Call it after a change of an application. */
  forgetApplications(): void {
    this.#apps.clear()
  }

  /** @throws `not_found` for an unknown application, `api_access_disabled` for one without API access */
  async findApplication(appId: string): Promise<ApplicationRow> {
    const app = await this.#apps.getOrLoad(appId, () => this.#store.find(appId))
    if (!app) throw new CairnError('not_found', 'the app was not found in the V1 registry')
    if (app.api_access_enabled) return app
    const message = 'API access is disabled for this app; contact the app developer'
    throw new CairnError('api_access_disabled', message)
  }

  /**
   * Verifies an ID token and returns its user. The first request of a user creates the user and their private chat.
   * @throws errors of `checkIdToken`
   */
  async identify(app: ApplicationRow, token: string): Promise<UserPrincipal> {
    const identity = await checkIdToken(token, app, this.#keySets)
    const hash = identityHash(app, identity)
    const known = await this.#store.findUser(app.app_id, hash)
    const user = known ?? (await this.#create(app, identity, hash))
    return {
      appId: app.app_id,
      projectId: app.project_id,
      userId: user.userId,
      chatId: user.chatId,
      parentChatId: app.chat_id,
      externalUserId: identity.subject,
      issuer: identity.issuer,
      isNew: 'isNew' in user,
    }
  }

  async #create(
    app: ApplicationRow,
    { issuer, subject }: TokenIdentity,
    hash: string,
  ): Promise<KnownUser & { isNew?: true }> {
    const user = { userId: newUserId(), chatId: newId('chat') }
    const row = { appId: app.app_id, projectId: app.project_id, identityHash: hash, issuer, subject }
    const outcome = await this.#store.insertUser({ ...row, ...user, createdMs: Date.now() })
    if (outcome === 'inserted') return { ...user, isNew: true }
    if (outcome === 'no_application') {
      throw new CairnError('not_found', 'the app was not found in the V1 registry')
    }
    // The random id of 64 bits belongs to another user. A retry of the caller gets another id.
    if (outcome === 'taken') throw new CairnError('overloaded', 'try again', { retryAfter: 1 })
    // A concurrent request has created the user.
    const existing = await this.#store.findUser(app.app_id, hash)
    if (existing) return existing
    throw new CairnError('overloaded', 'the user is being deleted; try again', { retryAfter: 1 })
  }
}

/** The hash of the claims that identify a user of an application. */
function identityHash(app: ApplicationRow, { issuer, audience, subject }: TokenIdentity): string {
  return sha256(JSON.stringify([issuer, app.separates_audiences ? audience : null, subject]))
}

export function profileOf(user: UserPrincipal): Profile {
  return {
    success: true,
    user_id: user.userId,
    external_user_id: user.externalUserId,
    chat_id: user.chatId,
    app_id: user.appId,
    issuer: user.issuer,
    subchat_created: user.isNew,
    privacy_info: {
      oauth_provider: user.issuer,
      permanent_subchat: true,
      data_isolation: 'your files, questions and answers are in a private chat that no other user can access',
      developer_access:
        'none: the developer of the app sees the number and the sizes of your files, not their content',
    },
  }
}
