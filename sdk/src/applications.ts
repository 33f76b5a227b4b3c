import type {
  ApplicationDetail,
  ApplicationUser,
  Deleted,
  PageQuery,
  RegisteredApp,
  TokenAlgorithm,
  UpdateApplication,
} from '@cairn/contract'
import type { Page } from './pages.ts'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface Registration {
  name: string
  /** URL of the identity provider; `DYNAMIC` takes the issuer from each token. */
  issuer: string
  /** Accepted audiences of tokens; `['DYNAMIC']` accepts any audience. */
  audiences: readonly string[]
  /** Default: RS256 and ES256. */
  algorithms?: readonly TokenAlgorithm[] | undefined
  /** Address of the key set. Default: the server asks the issuer for it. */
  jwksUri?: string | undefined
  /** The parent chat. Default: a new, published chat. */
  chatId?: string | undefined
  /** Project in which a new parent chat is created. */
  projectId?: string | undefined
}

export interface UserPage extends Page {
  users: ApplicationUser[]
}

function registrationForm(registration: Registration): FormData {
  const { name, issuer, audiences, algorithms, jwksUri, chatId, projectId } = registration
  const fields = {
    app_name: name,
    issuer,
    allowed_audiences: JSON.stringify(audiences),
    alg_allowlist: algorithms && JSON.stringify(algorithms),
    jwks_uri: jwksUri,
    chat_id: chatId,
    project_id: projectId,
  }
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, value)
  return form
}

/** Applications whose users sign in with their own identity provider. Developers see only counts, ids and sizes. */
export function applicationCalls(transport: Transport) {
  const base = '/v1/console/apps'

  return {
    register: (registration: Registration, options?: CallOptions) =>
      transport.json<RegisteredApp>('POST', `${base}/register`, {
        body: registrationForm(registration),
        ...options,
      }),
    /** Oldest first; without a project id, the applications of all projects. */
    list: (projectId?: string, options?: CallOptions) =>
      transport.json<ApplicationDetail[]>('GET', base, { query: { project_id: projectId }, ...options }),
    get: (appId: string, options?: CallOptions) =>
      transport.json<ApplicationDetail>('GET', base + path`/${appId}`, options),
    /** Fields that are left out stay unchanged. */
    update: (appId: string, changes: UpdateApplication, options?: CallOptions) =>
      transport.json<ApplicationDetail>('PATCH', base + path`/${appId}`, { body: changes, ...options }),
    /** Deletes the application with its users and all their data; the parent chat stays. */
    delete: (appId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', base + path`/${appId}`, options),
    /** One page of users, newest first, with ids and sizes only. */
    async users(appId: string, query: PageQuery = {}, options?: CallOptions): Promise<UserPage> {
      const { page: users, nextCursor } = await transport.page<ApplicationUser[]>(
        base + path`/${appId}/users`,
        { query, ...options },
      )
      return { users, nextCursor }
    },
    /** Every user, newest first, fetched page by page. */
    eachUser: (appId: string, query: PageQuery = {}, options?: CallOptions) =>
      transport.each<ApplicationUser>(base + path`/${appId}/users`, { query, ...options }),
    /** Deletes a user, the user's chat and everything in it. */
    deleteUser: (appId: string, userId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', base + path`/${appId}/users/${userId}`, options),
  }
}
