import { randomBytes } from 'node:crypto'
import {
  type Application,
  type ApplicationDetail,
  type ApplicationUser,
  CairnError,
  type Deleted,
  dynamic,
  limits,
  type PageQuery,
  type RegisteredApp,
  type TokenAlgorithm,
  type UpdateApplication,
} from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { AccessService } from '../access/index.ts'
import type { ChatService } from '../chats/index.ts'
import { checkAlgorithms, checkRegistration, checkUrl } from './registration.ts'
import type {
  ApplicationChanges,
  ApplicationRow,
  ApplicationStore,
  ApplicationTotals,
  UserRow,
} from './store.ts'
import { isDynamic } from './tokens.ts'

const clientFlow = [
  'The user signs in with their identity provider, in the client, and gets an ID token.',
  'The client sends the token with the application id directly to this server, with each call of /v1/me.',
  'Each user has a private chat. Your servers must not receive or store the tokens.',
].join(' ')

const separationWarning =
  'the audience is part of the identity of a user: the same person with a token for another audience is another user. List the audiences in allowed_audiences if you know them.'

export interface ApplicationOptions {
  store: ApplicationStore
  access: AccessService
  chats: ChatService
  /** For development: every address may be http. */
  allowHttp: boolean
  /** Called after a change or deletion of an application. */
  onChange: () => void
  /** Called after the start of a deletion, so that its job runs at once. */
  wake: () => void
}

const noTotals: ApplicationTotals = { users: 0, files: 0, total_size_bytes: 0 }

function toApplication(row: ApplicationRow): Application {
  const { separates_audiences: _, ...shown } = row
  return {
    ...shown,
    allowed_issuers: row.allowed_issuers && [...row.allowed_issuers],
    allowed_audiences: [...row.allowed_audiences],
    alg_allowlist: [...row.alg_allowlist] as TokenAlgorithm[],
    created_at: toIso(row.created_at),
  }
}

function toUser({ created_at, ...row }: UserRow): ApplicationUser {
  return { ...row, created_at: toIso(created_at) }
}

function notFound(): CairnError {
  return new CairnError('not_found', 'application not found')
}

/** Applications for administrators. Data of users is visible only as numbers and sizes. */
export class ApplicationService {
  readonly #options: ApplicationOptions

  constructor(options: ApplicationOptions) {
    this.#options = options
  }

  async register(fields: Record<string, string>): Promise<RegisteredApp> {
    const { store, allowHttp } = this.#options
    const { appName, issuer, audiences, algorithms, jwksUri } = checkRegistration(fields, allowHttp)
    const parent = await this.#parentChat(fields, appName)
    const row: ApplicationRow = {
      app_id: newId('app_v1_'),
      project_id: parent.projectId,
      chat_id: parent.chatId,
      app_name: storable(appName),
      issuer: storable(issuer),
      allowed_issuers: null,
      allowed_audiences: audiences.map(storable),
      separates_audiences: isDynamic(audiences),
      alg_allowlist: algorithms,
      jwks_uri: jwksUri,
      api_access_enabled: true,
      created_at: Date.now(),
    }
    if ((await store.insert(row)) === 'no_chat') throw new CairnError('not_found', 'chat not found')
    return {
      success: true,
      app_id: row.app_id,
      app_name: row.app_name,
      issuer: row.issuer,
      allowed_audiences: [...row.allowed_audiences],
      alg_allowlist: algorithms,
      jwks_uri: jwksUri,
      chat_id: row.chat_id,
      project_id: row.project_id,
      usage_instructions: {
        client_flow: clientFlow,
        headers_required: { Authorization: 'Bearer <USER_ID_TOKEN>', 'X-App-ID': row.app_id },
      },
      ...(row.separates_audiences && { warning: separationWarning }),
      message: `${row.app_name} is registered; its users can call /v1/me now`,
    }
  }

  /**
   * The chat of `chat_id`, or a new chat. A new chat belongs to the project of `project_id`, without it to the only
   * project, and if there are none or several, to a new project.
   */
  async #parentChat(
    { chat_id: chatId, project_id: projectId }: Record<string, string>,
    appName: string,
  ): Promise<{ chatId: string; projectId: string }> {
    const { access, chats } = this.#options
    if (chatId) {
      const chat = await chats.find(chatId)
      if (chat.app_id !== null)
        throw new CairnError('permission_denied', 'chat_id is the private chat of a user; use another chat')
      if (projectId && chat.project_id !== projectId) {
        throw new CairnError('invalid_request', 'chat_id is a chat of another project than project_id')
      }
      return { chatId, projectId: chat.project_id }
    }
    const [first, ...others] = projectId ? [await access.getProject(projectId)] : await access.listProjects()
    const project = first && others.length === 0 ? first : await access.createProject(appName)
    const chat = await chats.create(project.project_id, { title: appName, publish: true })
    return { chatId: chat.chat_id, projectId: project.project_id }
  }

  async list(projectId?: string): Promise<ApplicationDetail[]> {
    const { store } = this.#options
    const rows = await store.list(projectId)
    const totals = await store.totals(rows.map(({ app_id }) => app_id))
    return rows.map((row) => ({ ...toApplication(row), ...(totals.get(row.app_id) ?? noTotals) }))
  }

  async get(appId: string): Promise<ApplicationDetail> {
    const row = await this.#find(appId)
    const totals = await this.#options.store.totals([appId])
    return { ...toApplication(row), ...(totals.get(appId) ?? noTotals) }
  }

  async update(appId: string, request: UpdateApplication): Promise<ApplicationDetail> {
    const changes = this.#changes(await this.#find(appId), request)
    if (Object.keys(changes).length > 0) {
      const found = await this.#options.store.update(appId, changes)
      this.#options.onChange()
      if (!found) throw notFound()
    }
    return this.get(appId)
  }

  /**
   * Invariant: a change of settings never changes the identity of a user. So the issuer is immutable, and audiences may
   * change from DYNAMIC to a list, but not from a list to DYNAMIC.
   */
  #changes(row: ApplicationRow, request: UpdateApplication): ApplicationChanges {
    const { app_name, api_access_enabled, allowed_audiences, allowed_issuers, alg_allowlist, jwks_uri } =
      request
    if (allowed_audiences && isDynamic(allowed_audiences) && !row.separates_audiences) {
      const message =
        'allowed_audiences cannot become DYNAMIC, because users would get new identities; register another app'
      throw new CairnError('invalid_request', message)
    }
    if (row.issuer !== dynamic && allowed_issuers && allowed_issuers.length > 0) {
      throw new CairnError('invalid_request', 'allowed_issuers is for applications whose issuer is DYNAMIC')
    }
    if (row.issuer === dynamic && jwks_uri) {
      throw new CairnError('invalid_request', 'jwks_uri is for applications with one issuer')
    }
    return {
      ...(app_name != null && { app_name: storable(app_name.trim()) }),
      ...(api_access_enabled != null && { api_access_enabled }),
      ...(allowed_audiences && { allowed_audiences: [...new Set(allowed_audiences.map(storable))] }),
      ...(allowed_issuers && {
        allowed_issuers: allowed_issuers.length > 0 ? [...new Set(allowed_issuers.map(storable))] : null,
      }),
      ...(alg_allowlist && { alg_allowlist: checkAlgorithms(alg_allowlist) }),
      ...(jwks_uri != null && {
        jwks_uri: jwks_uri === '' ? null : checkUrl('jwks_uri', jwks_uri, this.#options.allowHttp),
      }),
    }
  }

  /** Deletes the application with all its users; the parent chat stays. */
  async delete(appId: string): Promise<Deleted> {
    const { store, onChange, wake } = this.#options
    const isStarted = await store.startDeletion(appId)
    onChange()
    wake()
    if (!isStarted) throw notFound()
    return { success: true, message: 'application deleted with its users and their data' }
  }

  /** Users with the numbers and sizes of their files, newest first. */
  async users(
    appId: string,
    { limit = limits.listDefault, cursor }: PageQuery,
  ): Promise<Paged<ApplicationUser>> {
    await this.#find(appId)
    const after = parseCursor(cursor, 'user_v1_')
    const rows = await this.#options.store.users(appId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.user_id }))
    return { page: page.map(toUser), next }
  }

  async deleteUser(appId: string, userId: string): Promise<Deleted> {
    await this.#find(appId)
    if (!(await this.#options.store.deleteUser(appId, userId)))
      throw new CairnError('not_found', 'user not found')
    this.#options.wake()
    return { success: true, message: 'user deleted with their chat and its documents' }
  }

  /** The project of an application, for the audit log. */
  async projectOf(appId: string): Promise<string | undefined> {
    return (await this.#options.store.find(appId))?.project_id
  }

  async #find(appId: string): Promise<ApplicationRow> {
    const row = await this.#options.store.find(appId)
    if (!row) throw notFound()
    return row
  }
}

/** `user_v1_` and 64 random bits. */
export function newUserId(): string {
  return `user_v1_${randomBytes(8).toString('hex')}`
}
