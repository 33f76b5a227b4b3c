import { CairnError, type Profile } from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { sha256 } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import type { KeySets } from './key-sets.ts'
import { newUserId } from './service.ts'
import type { ApplicationRow, ApplicationStore, KnownUser } from './store.ts'
import { checkIdToken, type TokenIdentity } from './tokens.ts'

/** An end user, recognised by a token. */
export interface User {
  appId: string
  projectId: string
  userId: string
  /** The private sub-chat. */
  chatId: string
  parentChatId: string
  /** The subject of the token. */
  externalUserId: string
  issuer: string
  /** Whether this very call has made the sub-chat. */
  isNew: boolean
}

/** Another process may have changed an application; this one notices within this time. */
const cacheMs = 5_000
const appsCached = 1_000

/** Who the bearers of tokens are, and the private chat of each, made with their first call. */
export class Identities {
  readonly #store: ApplicationStore
  readonly #keySets: KeySets
  readonly #apps = new ExpiringCache<ApplicationRow>(cacheMs, appsCached)

  constructor(store: ApplicationStore, keySets: KeySets) {
    this.#store = store
    this.#keySets = keySets
  }

  /** To be called when an application has changed. */
  forgetApplications(): void {
    this.#apps.clear()
  }

  /** The application that a call names; refused when it is unknown or switched off. */
  async findApplication(appId: string): Promise<ApplicationRow> {
    const app = await this.#apps.getOrLoad(appId, () => this.#store.find(appId))
    if (!app) throw new CairnError('not_found', 'the app was not found in the V1 registry')
    if (app.api_access_enabled) return app
    const message = 'API access is disabled for this app; contact the app developer'
    throw new CairnError('api_access_disabled', message)
  }

  /** The user that a token is of; the first call of somebody makes their private chat. */
  async recognise(app: ApplicationRow, token: string): Promise<User> {
    const identity = await checkIdToken(token, app, this.#keySets)
    const hash = identityHash(app, identity)
    const known = await this.#store.findUser(app.app_id, hash)
    const user = known ?? (await this.#make(app, identity, hash))
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

  async #make(
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
    // One of 2^64 user ids that is taken: the caller's next try draws another.
    if (outcome === 'taken') throw new CairnError('overloaded', 'try again', { retryAfter: 1 })
    const made = await this.#store.findUser(app.app_id, hash)
    if (made) return made
    throw new CairnError('overloaded', 'the user is being deleted; try again', { retryAfter: 1 })
  }
}

/** Everything that tells two people of an application apart. */
function identityHash(app: ApplicationRow, { issuer, audience, subject }: TokenIdentity): string {
  return sha256(JSON.stringify([issuer, app.separates_audiences ? audience : null, subject]))
}

export function profileOf(user: User): Profile {
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
      data_isolation: 'your files, questions and answers are in a private chat that no other user can reach',
      developer_access:
        'none: the developer of the app sees how many files you have and their sizes, nothing in them',
    },
  }
}
