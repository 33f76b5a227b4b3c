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
  /** URL of the identity provider, or `DYNAMIC` to take it from the tokens. */
  issuer: string
  /** Audiences that tokens may be for; `['DYNAMIC']` takes any. */
  audiences: readonly string[]
  /** RS256 and ES256 when left out. */
  algorithms?: readonly TokenAlgorithm[] | undefined
  /** Address of the key set; found through the issuer when left out. */
  jwksUri?: string | undefined
  /** The parent chat; a new one, published, when left out. */
  chatId?: string | undefined
  /** Where a new parent chat is made. */
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

/** Applications whose users sign in with their own identity provider: what users have shows as numbers alone. */
export function applicationCalls(transport: Transport) {
  const base = '/v1/console/apps'

  return {
    register: (registration: Registration, options?: CallOptions) =>
      transport.json<RegisteredApp>('POST', `${base}/register`, {
        body: registrationForm(registration),
        ...options,
      }),
    /** Oldest first; of all projects when none is named. */
    list: (projectId?: string, options?: CallOptions) =>
      transport.json<ApplicationDetail[]>('GET', base, { query: { project_id: projectId }, ...options }),
    get: (appId: string, options?: CallOptions) =>
      transport.json<ApplicationDetail>('GET', base + path`/${appId}`, options),
    /** What is not named stays. */
    update: (appId: string, changes: UpdateApplication, options?: CallOptions) =>
      transport.json<ApplicationDetail>('PATCH', base + path`/${appId}`, { body: changes, ...options }),
    /** With its users and all that they had; the parent chat stays. */
    delete: (appId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', base + path`/${appId}`, options),
    /** One page of users, newest first: ids and sizes alone. */
    async users(appId: string, query: PageQuery = {}, options?: CallOptions): Promise<UserPage> {
      const { page: users, nextCursor } = await transport.page<ApplicationUser[]>(
        base + path`/${appId}/users`,
        { query, ...options },
      )
      return { users, nextCursor }
    },
    /** A user with their chat and all that it holds. */
    deleteUser: (appId: string, userId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', base + path`/${appId}/users/${userId}`, options),
  }
}
