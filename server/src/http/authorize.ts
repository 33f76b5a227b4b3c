import { CairnError, type Permission } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { secretsEqual } from '../lib/hash.ts'
import type { Access, Principal } from './access.ts'
import type { App } from './fastify.ts'
import { FailureWindows, TokenBuckets } from './rate-limit.ts'

/** What authorisation needs to know; the access and chats domains provide it. */
interface Directory {
  findKey(token: string): Promise<Principal | undefined>
  projectExists(projectId: string): Promise<boolean>
  findChat(chatId: string): Promise<{ apiAccessEnabled: boolean } | undefined>
}

export interface AuthorizationOptions {
  directory: Directory
  adminToken: string
  requestsPerSecond: number
  wrongKeysPerMinute: number
  wrongAdminTokensPerMinute: number
}

function bearerToken(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** An id of the path; empty, so unknown, when it holds a NUL, which PostgreSQL would refuse. */
function pathParameter(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string>)[name] ?? ''
  return value.includes('\0') ? '' : value
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return
  throw new CairnError('permission_denied', `this API key lacks the permission ${permission}`)
}

/** The order of checks is decided: 401 → 429 → 404 → 403; what a service refuses with 400 comes later. */
class Authorization {
  readonly #options: AuthorizationOptions
  readonly #requests: TokenBuckets
  readonly #wrongKeys: FailureWindows
  readonly #wrongAdminTokens: FailureWindows

  constructor(options: AuthorizationOptions) {
    this.#options = options
    this.#requests = new TokenBuckets(options.requestsPerSecond)
    this.#wrongKeys = new FailureWindows(options.wrongKeysPerMinute)
    this.#wrongAdminTokens = new FailureWindows(options.wrongAdminTokensPerMinute)
  }

  async check(request: FastifyRequest, access: Access): Promise<void> {
    switch (access.credential) {
      case 'none':
        return
      case 'admin':
        return this.#checkAdmin(request)
      case 'project-key':
        return this.#checkProject(request, access.permission)
      case 'chat-key':
        return this.#checkChat(request, access.permission)
      case 'admin-or-chat-key':
        if (request.headers['x-admin-token'] !== undefined) {
          this.#checkAdmin(request)
          await this.#existingChat(request)
          return
        }
        return this.#checkChat(request, 'admin')
    }
  }

  /** A right token from an address that is blocked is refused too: else guessing would still pay. */
  #checkAdmin(request: FastifyRequest): void {
    const token = request.headers['x-admin-token']
    if (token === undefined)
      throw new CairnError('missing_credentials', 'the header X-Admin-Token is missing')
    const wait = this.#wrongAdminTokens.blockedFor(request.ip)
    if (wait !== undefined) {
      throw new CairnError('rate_limited', 'too many wrong admin tokens from this address', {
        retryAfter: wait,
      })
    }
    if (typeof token === 'string' && secretsEqual(token, this.#options.adminToken)) return
    this.#wrongAdminTokens.record(request.ip)
    throw new CairnError('invalid_credentials', 'the admin token is wrong')
  }

  async #authenticate(request: FastifyRequest): Promise<Principal> {
    const token = bearerToken(request)
    if (!token)
      throw new CairnError('missing_credentials', 'the header Authorization: Bearer <API_KEY> is missing')
    const principal = await this.#options.directory.findKey(token)
    if (!principal) this.#refuseKey(request)
    const wait = this.#requests.take(principal.keyId)
    if (wait !== undefined) {
      throw new CairnError('rate_limited', 'this API key has used up its requests per second', {
        retryAfter: wait,
      })
    }
    request.principal = principal
    return principal
  }

  #refuseKey(request: FastifyRequest): never {
    const wait = this.#wrongKeys.blockedFor(request.ip)
    if (wait !== undefined) {
      throw new CairnError('rate_limited', 'too many wrong API keys from this address', { retryAfter: wait })
    }
    this.#wrongKeys.record(request.ip)
    throw new CairnError('invalid_credentials', 'the API key is not valid')
  }

  async #checkProject(request: FastifyRequest, permission: Permission): Promise<void> {
    const principal = await this.#authenticate(request)
    const projectId = pathParameter(request, 'project_id')
    const own = principal.projectId === projectId
    if (!own && !(await this.#options.directory.projectExists(projectId))) {
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
    const principal = await this.#authenticate(request)
    const chat = await this.#existingChat(request)
    if (principal.chatId !== pathParameter(request, 'chat_id')) {
      throw new CairnError(
        'permission_denied',
        'this API key does not belong to the chat; use a key of the chat itself',
      )
    }
    requirePermission(principal, permission)
    if (!chat.apiAccessEnabled) {
      throw new CairnError('api_access_disabled', 'API access is not enabled for this chat')
    }
  }

  async #existingChat(request: FastifyRequest): Promise<{ apiAccessEnabled: boolean }> {
    const chat = await this.#options.directory.findChat(pathParameter(request, 'chat_id'))
    if (!chat) throw new CairnError('not_found', 'chat not found')
    return chat
  }
}

/** Checks every request before its body is read; a route without `config.access` cannot be registered. */
export function registerAuthorization(app: App, options: AuthorizationOptions): void {
  const authorization = new Authorization(options)
  app.decorateRequest('principal', undefined)
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
}
