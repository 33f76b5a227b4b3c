import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'cairn_session'

/** The secret of the dashboard's session; undefined without one. */
export function sessionCookie(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; *)${name}=([\\w-]{1,200})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
}

/**
 * Out of reach for scripts and for requests that another site starts; over https for https only. Internal
 * endpoints have no prefix of their own, so it is sent everywhere.
 */
function writeCookie(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${name}=${value}; ${attributes}`)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  seconds: number,
): void {
  writeCookie(request, reply, secret, seconds)
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  writeCookie(request, reply, '', 0)
}

/**
 * Whether a request with a cookie was made by the dashboard itself. `SameSite=Strict` keeps other sites out; another
 * origin of the same site (a neighbour's port or subdomain) is told by what a browser says of where the request comes from.
 * Over plain http it says that of changes only, in `Origin`: reading is then left to the rule that no origin but our own
 * gets to see an answer to a request with a cookie.
 */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (site !== undefined) return site === 'same-origin' || (reads && site === 'none')
  const { origin } = request.headers
  if (origin === undefined) return reads
  return URL.parse(origin)?.host === request.host
}
