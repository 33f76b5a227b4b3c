import { CairnError, type Permission } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import type { Access, ChatResource, ChatSource, Principal } from './access.ts'
import { type CredentialOptions, Credentials } from './credentials.ts'
import type { App } from './fastify.ts'

/** What authorisation needs to know; the access and chats domains provide it. */
interface Directory {
  findKey(token: string): Promise<Principal | undefined>
  projectExists(projectId: string): Promise<boolean>
  findChat(chatId: string): Promise<{ apiAccessEnabled: boolean } | undefined>
  /** The chat that holds a file, node or relationship. */
  findChatOf(resource: Exclude<ChatResource, 'chat'>, id: string): Promise<string | undefined>
}

export interface AuthorizationOptions extends Omit<CredentialOptions, 'findKey'> {
  directory: Directory
}

/** Empty, so unknown, when it holds a NUL, which PostgreSQL would refuse. */
function searchable(id: string): string {
  return id.includes('\0') ? '' : id
}

/** An id of the path. */
function pathParameter(request: FastifyRequest, name: string): string {
  return searchable((request.params as Record<string, string>)[name] ?? '')
}

/** The ids in these fields of a parsed body, as far as there are any. */
function bodyIds(request: FastifyRequest, fields: readonly string[]): string[] {
  const body = (request.body ?? {}) as Record<string, unknown>
  return fields.map((field) => body[field]).filter((id): id is string => typeof id === 'string')
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return
  throw new CairnError('permission_denied', `this API key lacks the permission ${permission}`)
}

function requireOwnChat(principal: Principal, chatId: string): void {
  if (principal.chatId === chatId) return
  throw new CairnError(
    'permission_denied',
    'this API key does not belong to the chat; use a key of the chat itself',
  )
}

function requireApiAccess({ apiAccessEnabled }: { apiAccessEnabled: boolean }): void {
  if (apiAccessEnabled) return
  throw new CairnError('api_access_disabled', 'API access is not enabled for this chat')
}

/** The order of checks is decided: 401 → 429 → 404 → 403; what a service refuses with 400 comes later. */
class Authorization {
  readonly #directory: Directory
  readonly #credentials: Credentials

  constructor({ directory, ...options }: AuthorizationOptions) {
    this.#directory = directory
    this.#credentials = new Credentials({ ...options, findKey: (token) => directory.findKey(token) })
  }

  async check(request: FastifyRequest, access: Access): Promise<void> {
    switch (access.credential) {
      case 'none':
        return
      case 'admin':
        return this.#credentials.checkAdmin(request)
      case 'project-key':
        return this.#checkProject(request, access.permission)
      case 'chat-key':
        return this.#checkChat(request, access.permission)
      case 'admin-or-chat-key':
        return this.#checkInternal(request, access.chat)
    }
  }

  async #checkInternal(request: FastifyRequest, chat: ChatSource): Promise<void> {
    if (request.headers['x-admin-token'] === undefined) await this.#credentials.authenticate(request)
    else this.#credentials.checkAdmin(request)
    if (chat.place === 'path')
      await this.#checkChats(request, chat.of, [pathParameter(request, `${chat.of}_id`)])
    if (chat.place === 'none') await this.#checkOwnChat(request)
  }

  /** What is left to check when the chat is named in the body, which is parsed by now. */
  async checkBody(request: FastifyRequest, access: Access): Promise<void> {
    if (access.credential !== 'admin-or-chat-key' || access.chat.place !== 'body') return
    const { of, fields } = access.chat
    const ids = bodyIds(request, fields)
    if (ids.length > 0) await this.#checkChats(request, of, ids)
    else if (request.principal) requirePermission(request.principal, 'admin')
  }

  /** That all of these lead to chats, and a key to its own. The first one is the chat that the request is about. */
  async #checkChats(request: FastifyRequest, of: ChatResource, ids: readonly string[]): Promise<void> {
    const found: { chatId: string; apiAccessEnabled: boolean }[] = []
    for (const id of ids) found.push(await this.#findChat(of, searchable(id)))
    const [first] = found
    request.chatId = first?.chatId ?? ''
    const { principal } = request
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

  async #findChat(of: ChatResource, id: string): Promise<{ chatId: string; apiAccessEnabled: boolean }> {
    const chatId = of === 'chat' ? id : await this.#directory.findChatOf(of, id)
    const chat = chatId === undefined ? undefined : await this.#directory.findChat(chatId)
    if (chatId === undefined || !chat) throw new CairnError('not_found', `${of} not found`)
    return { chatId, ...chat }
  }

  async #checkProject(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#credentials.authenticate(request)
    const projectId = pathParameter(request, 'project_id')
    const own = principal.projectId === projectId
    if (!own && !(await this.#directory.projectExists(projectId))) {
      throw new CairnError('not_found', 'project not found')
    }
    if (!own || principal.chatId !== null) {
      throw new CairnError(
        'permission_denied',
        'this API key does not belong to the project; use a key of the project itself',
      )
    }
    requirePermission(principal, permission)
  }

  async #checkChat(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#credentials.authenticate(request)
    const chat = await this.#findChat('chat', pathParameter(request, 'chat_id'))
    requireOwnChat(principal, chat.chatId)
    requirePermission(principal, permission)
    requireApiAccess(chat)
  }
}

/**
 * Checks every request before its body is read, but for what only the body tells: which chat some internal endpoints
 * are about. That is checked before the body is held against its schema. A route without `config.access` cannot be registered.
 */
export function registerAuthorization(app: App, options: AuthorizationOptions): void {
  const authorization = new Authorization(options)
  app.decorateRequest('principal', undefined)
  app.decorateRequest('chatId', '')
  app.addHook('onRoute', (route) => {
    if (!route.config?.access)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (!access || access.credential === 'none') return
    // What a credential gets to see is for no cache.
    reply.header('cache-control', 'no-store')
    await authorization.check(request, access)
  })
  app.addHook('preValidation', async (request) => {
    const access = request.routeOptions.config.access
    if (access) await authorization.checkBody(request, access)
  })
}
