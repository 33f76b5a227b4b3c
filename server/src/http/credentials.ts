import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { secretsEqual } from '../lib/hash.ts'
import type { KeyPrincipal } from '../lib/principals.ts'
import { clientSubject } from './client-address.ts'
import type { RateLimits, WindowState } from './rate-limit.ts'
import { isOwnOrigin, sessionCookie } from './sign-in.ts'

export interface CredentialOptions {
  findKey(token: string): Promise<KeyPrincipal | undefined>
  /** Whether the secret belongs to a dashboard session. */
  isSession(secret: string): Promise<boolean>
  adminToken: string
  rateLimits: RateLimits
  /** 0 means no limit. */
  requestsPerSecond: number
  wrongKeysPerMinute: number
  wrongAdminTokensPerMinute: number
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The user and the password of Basic credentials. */
function basicCredentials(request: FastifyRequest): { user: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(request.headers.authorization ?? '')?.[1]
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The secret of a dashboard session. A credential in a header takes precedence over the cookie. */
function sessionSecret(request: FastifyRequest): string | undefined {
  const { authorization, 'x-admin-token': adminToken } = request.headers
  return authorization === undefined && adminToken === undefined ? sessionCookie(request) : undefined
}

/** Identifies the caller and limits failed attempts. */
export class Credentials {
  readonly #options: CredentialOptions
  readonly #limits: RateLimits

  constructor(options: CredentialOptions) {
    this.#options = options
    this.#limits = options.rateLimits
  }

  /** Whether a signed-in dashboard sent the request. Throws if the session of the cookie does not exist or has ended. */
  async hasSession(request: FastifyRequest): Promise<boolean> {
    const secret = sessionSecret(request)
    if (secret === undefined) return false
    if (!isOwnOrigin(request)) {
      throw new CairnError('invalid_credentials', "the dashboard's session is for its own pages only")
    }
    if (await this.#options.isSession(secret)) return true
    throw new CairnError('invalid_credentials', "the dashboard's session is over; sign in again")
  }

  async authenticateAdmin(request: FastifyRequest): Promise<void> {
    if (!(await this.hasSession(request))) await this.#checkAdminToken(request)
  }

  /** Accepts the admin token, a dashboard session, or a key. */
  async authenticateAdminOrKey(request: FastifyRequest): Promise<void> {
    const isAdmin = request.headers['x-admin-token'] !== undefined || sessionSecret(request) !== undefined
    if (isAdmin) await this.authenticateAdmin(request)
    else await this.authenticate(request)
  }

  /** A blocked address is rejected even with the right token; otherwise guessing could still succeed. */
  async #checkAdminToken(request: FastifyRequest): Promise<void> {
    const token = request.headers['x-admin-token']
    if (token === undefined)
      throw new CairnError('missing_credentials', 'the header X-Admin-Token is missing')
    const most = this.#options.wrongAdminTokensPerMinute
    refuseOver(await this.#limits.look('wrong-admin-token', clientSubject(request), most), 'admin tokens')
    if (typeof token === 'string' && secretsEqual(token, this.#options.adminToken)) return
    refuseOver(await this.#limits.take('wrong-admin-token', clientSubject(request), most), 'admin tokens')
    throw new CairnError('invalid_credentials', 'the admin token is wrong')
  }

  async authenticate(request: FastifyRequest): Promise<KeyPrincipal> {
    const token = bearerToken(request)
    if (!token)
      throw new CairnError('missing_credentials', 'the header Authorization: Bearer <API_KEY> is missing')
    return this.#authenticateKey(request, token)
  }

  /**
   * Accepts a key as exporters of OTLP send it: as a bearer token, in `x-api-key`, or as the password of Basic credentials
   * whose user is the id of the project.
   */
  async authenticateExporter(request: FastifyRequest): Promise<KeyPrincipal> {
    const basic = basicCredentials(request)
    const { 'x-api-key': header } = request.headers
    const token = bearerToken(request) ?? basic?.password ?? (typeof header === 'string' ? header : undefined)
    if (!token) {
      throw new CairnError(
        'missing_credentials',
        'the API key is missing; send it as Authorization: Bearer <API_KEY>, as x-api-key, or as the password of Basic credentials',
      )
    }
    const principal = await this.#authenticateKey(request, token)
    if (basic && basic.user !== principal.projectId) {
      throw new CairnError(
        'permission_denied',
        'this API key does not belong to the project; the user of Basic credentials must be its project id',
      )
    }
    return principal
  }

  async #authenticateKey(request: FastifyRequest, token: string): Promise<KeyPrincipal> {
    const principal = await this.#options.findKey(token)
    if (!principal) return this.#refuseKey(request)
    const { requestsPerSecond } = this.#options
    const wait =
      requestsPerSecond === 0 ? undefined : await this.#limits.takeToken(principal.keyId, requestsPerSecond)
    if (wait !== undefined) {
      throw new CairnError('rate_limited', 'this API key has used up its requests per second', {
        retryAfter: wait,
      })
    }
    request.principal = principal
    return principal
  }

  /** Counts a rejected token for the address of the client; throws `rate_limited` above the limit. */
  async countWrongToken(request: FastifyRequest): Promise<void> {
    await this.#countWrong(request, 'tokens')
  }

  async #refuseKey(request: FastifyRequest): Promise<never> {
    await this.#countWrong(request, 'API keys')
    throw new CairnError('invalid_credentials', 'the API key is not valid')
  }

  async #countWrong(request: FastifyRequest, what: string): Promise<void> {
    const most = this.#options.wrongKeysPerMinute
    refuseOver(await this.#limits.take('wrong-key', clientSubject(request), most), what)
  }
}

function refuseOver({ isOver, waitMs }: WindowState, what: string): void {
  if (!isOver) return
  throw new CairnError('rate_limited', `too many wrong ${what} from this address`, {
    retryAfter: waitMs / 1000,
  })
}
