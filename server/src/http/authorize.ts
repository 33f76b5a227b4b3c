import { CairnError, type Permission } from '@cairn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTenant } from '../lib/current-work.ts'
import type { KeyPrincipal, UserPrincipal } from '../lib/principals.ts'
import type { Access, ChatResource, ChatSource, UserLimits } from './access.ts'
import { bearerToken, type CredentialOptions, Credentials } from './credentials.ts'
import type { App } from './fastify.ts'
import type { RateLimits } from './rate-limit.ts'
import { tenantOf } from './tenant.ts'
import { userOf, windowHeaders } from './user.ts'

/** Lookups for authorization. The access, chats and applications domains implement them. */
interface Directory {
  findKey(token: string): Promise<KeyPrincipal | undefined>
  /** Whether the secret belongs to a dashboard session. */
  isSession(secret: string): Promise<boolean>
  projectExists(projectId: string): Promise<boolean>
  findChat(chatId: string): Promise<FoundChat | undefined>
  /** The chat that contains a file, node or relationship. */
  findChatOf(resource: Exclude<ChatResource, 'chat'>, id: string): Promise<string | undefined>
  /** The verifier of an application's user tokens. Throws if the application does not exist or is disabled. */
  findApplication(appId: string): Promise<{ identify(token: string): Promise<UserPrincipal> }>
}

interface FoundChat {
  apiAccessEnabled: boolean
  /** The chat is the sub-chat of an end user. */
  isPrivate: boolean
}

export interface AuthorizationOptions extends Omit<CredentialOptions, 'findKey' | 'isSession'> {
  directory: Directory
  userLimits: UserLimits
}

/** An id with a NUL becomes empty, hence unknown, because PostgreSQL would reject the query. */
function searchable(id: string): string {
  return id.includes('\0') ? '' : id
}

/** An id of the path. */
function pathParameter(request: FastifyRequest, name: string): string {
  return searchable((request.params as Record<string, string>)[name] ?? '')
}

/** The ids in these fields of a parsed body. */
function bodyIds(request: FastifyRequest, fields: readonly string[]): string[] {
  const body = (request.body ?? {}) as Record<string, unknown>
  return fields.map((field) => body[field]).filter((id): id is string => typeof id === 'string')
}

function requirePermission(principal: KeyPrincipal, permission: Permission): void {
  if (principal.permissions.has(permission)) return
  throw new CairnError('permission_denied', `this API key lacks the permission ${permission}`)
}

function requireOwnChat(principal: KeyPrincipal, chatId: string): void {
  if (principal.chatId === chatId) return
  throw new CairnError(
    'permission_denied',
    'this API key does not belong to the chat; use a key of the chat itself',
  )
}

/** Data of an end user is private: no other credential may reach it. */
function requirePublic({ isPrivate }: FoundChat): void {
  if (!isPrivate) return
  throw new CairnError(
    'permission_denied',
    'the chat is private to an end user; nobody else can reach into it',
  )
}

function requireApiAccess({ apiAccessEnabled }: { apiAccessEnabled: boolean }): void {
  if (apiAccessEnabled) return
  throw new CairnError('api_access_disabled', 'API access is not enabled for this chat')
}

/** The order of checks is fixed: 401, 429, 404, 403. A 400 from a service comes later. */
class Authorization {
  readonly #directory: Directory
  readonly #rateLimits: RateLimits
  readonly #userLimits: UserLimits
  readonly #credentials: Credentials

  constructor({ directory, userLimits, ...options }: AuthorizationOptions) {
    this.#directory = directory
    this.#rateLimits = options.rateLimits
    this.#userLimits = userLimits
    this.#credentials = new Credentials({
      ...options,
      findKey: (token) => directory.findKey(token),
      isSession: (secret) => directory.isSession(secret),
    })
  }

  async check(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
    switch (access.credential) {
      case 'none':
        return
      case 'admin':
        return this.#checkConsole(request)
      case 'user':
        await this.#checkUser(request)
        return this.#countUser(request, reply, access)
      case 'project-key':
        return access.project === 'of-key'
          ? this.#checkExporter(request, access.permission)
          : this.#checkProject(request, access.permission)
      case 'chat-key':
        return this.#checkChat(request, access.permission)
      case 'admin-or-chat-key':
        return this.#checkInternal(request, access.chat)
    }
  }

  async #checkConsole(request: FastifyRequest): Promise<void> {
    await this.#credentials.authenticateAdmin(request)
    const chatId = pathParameter(request, 'chat_id')
    const chat = chatId === '' ? undefined : await this.#directory.findChat(chatId)
    if (chat) requirePublic(chat)
  }

  /** The order of checks is fixed: 400 for a missing header, 404 and 403 for the application, 401 for the token. */
  async #checkUser(request: FastifyRequest): Promise<void> {
    const appId = request.headers['x-app-id']
    if (typeof appId !== 'string' || appId === '') {
      throw new CairnError('invalid_request', 'the header X-App-ID is missing')
    }
    const application = await this.#directory.findApplication(searchable(appId))
    const token = bearerToken(request)
    if (!token) {
      const message = 'Unauthorized: the header Authorization: Bearer <USER_ID_TOKEN> is missing'
      throw new CairnError('missing_credentials', message)
    }
    try {
      request.user = await application.identify(token)
    } catch (error) {
      if (error instanceof CairnError && error.status === 401)
        await this.#credentials.countWrongToken(request)
      throw error
    }
  }

  async #countUser(
    request: FastifyRequest,
    reply: FastifyReply,
    { window }: Extract<Access, { credential: 'user' }>,
  ): Promise<void> {
    if (!window) return
    const limit = this.#userLimits[window]
    const state = await this.#rateLimits.take(window, userOf(request).userId, limit)
    windowHeaders(reply, limit, state)
    if (!state.isOver) return
    throw new CairnError('rate_limited', `no more than ${limit} of these requests per minute and user`, {
      retryAfter: state.waitMs / 1000,
    })
  }

  async #checkInternal(request: FastifyRequest, chat: ChatSource): Promise<void> {
    await this.#credentials.authenticateAdminOrKey(request)
    if (chat.place === 'path')
      await this.#checkChats(request, chat.of, [pathParameter(request, `${chat.of}_id`)])
    if (chat.place === 'none') await this.#checkOwnChat(request)
  }

  /** The checks that remain if the parsed body names the chat. */
  async checkBody(request: FastifyRequest, access: Access): Promise<void> {
    if (access.credential !== 'admin-or-chat-key' || access.chat.place !== 'body') return
    const { of, fields } = access.chat
    const ids = bodyIds(request, fields)
    if (ids.length > 0) await this.#checkChats(request, of, ids)
    else if (request.principal) requirePermission(request.principal, 'admin')
  }

  /** Checks that all ids belong to chats that the caller may use. The request is about the first of these chats. */
  async #checkChats(request: FastifyRequest, of: ChatResource, ids: readonly string[]): Promise<void> {
    const found: (FoundChat & { chatId: string })[] = []
    for (const id of ids) found.push(await this.#findChat(of, searchable(id)))
    const [first] = found
    request.chatId = first?.chatId ?? ''
    const { principal } = request
    for (const chat of found) requirePublic(chat)
    if (!principal) return
    for (const { chatId } of found) requireOwnChat(principal, chatId)
    requirePermission(principal, 'admin')
    for (const chat of found) requireApiAccess(chat)
  }

  async #checkOwnChat({ principal }: FastifyRequest): Promise<void> {
    if (!principal) return
    if (principal.chatId === null) requireOwnChat(principal, '')
    requirePermission(principal, 'admin')
    requireApiAccess(await this.#findChat('chat', principal.chatId ?? ''))
  }

  async #findChat(of: ChatResource, id: string): Promise<FoundChat & { chatId: string }> {
    const chatId = of === 'chat' ? id : await this.#directory.findChatOf(of, id)
    const chat = chatId === undefined ? undefined : await this.#directory.findChat(chatId)
    // For other callers, the files of an end user do not exist, so guessed ids reveal nothing.
    const isHidden = of !== 'chat' && chat?.isPrivate
    if (chatId === undefined || !chat || isHidden) throw new CairnError('not_found', `${of} not found`)
    return { chatId, ...chat }
  }

  /** The key of the request; undefined for a dashboard session, which has every permission of a key. */
  async #keyOrSession(request: FastifyRequest): Promise<KeyPrincipal | undefined> {
    if (await this.#credentials.hasSession(request)) return undefined
    return this.#credentials.authenticate(request)
  }

  async #checkProject(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#keyOrSession(request)
    const projectId = pathParameter(request, 'project_id')
    const own = principal?.projectId === projectId
    if (!own && !(await this.#directory.projectExists(projectId))) {
      throw new CairnError('not_found', 'project not found')
    }
    if (!principal) return
    if (!own || principal.chatId !== null) {
      throw new CairnError(
        'permission_denied',
        'this API key does not belong to the project; use a key of the project itself',
      )
    }
    requirePermission(principal, permission)
  }

  async #checkExporter(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#credentials.authenticateExporter(request)
    if (principal.chatId !== null) {
      throw new CairnError('permission_denied', 'this API key belongs to a chat; use a key of the project')
    }
    requirePermission(principal, permission)
  }

  async #checkChat(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#keyOrSession(request)
    const chat = await this.#findChat('chat', pathParameter(request, 'chat_id'))
    // Disabling API access affects keys only. The administrator, who may enable it again, may also read.
    if (!principal) return requirePublic(chat)
    requireOwnChat(principal, chat.chatId)
    requirePublic(chat)
    requirePermission(principal, permission)
    requireApiAccess(chat)
  }
}

/**
 * Checks every request before its body is read. Exception: some internal endpoints name the chat in the body; this part
 * is checked before schema validation. A route without `config.access` cannot be registered.
 */
export function registerAuthorization(app: App, options: AuthorizationOptions): void {
  const authorization = new Authorization(options)
  app.decorateRequest('principal', undefined)
  app.decorateRequest('chatId', '')
  app.decorateRequest('user', undefined)
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${String(route.method)} ${route.url} has no config.access`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (!access || access.credential === 'none') return
    // Responses to a credential must not be cached.
    reply.header('cache-control', 'no-store')
    await authorization.check(request, reply, access)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    setTenant(tenantOf(request))
    done()
  })
  app.addHook('preValidation', async (request) => {
    const access = request.routeOptions.config.access
    if (access) await authorization.checkBody(request, access)
  })
}
