import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'cairn_session'

/** The secret of the dashboard session; undefined without one. */
export function sessionCookie(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; *)${name}=([\\w-]{1,200})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
}

/**
 * Scripts cannot read the cookie, other sites cannot send it, and over https it is sent over https only. It is
 * sent to every path, because the internal endpoints have no common prefix.
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
 * Whether the dashboard itself made a request with a cookie. `SameSite=Strict` excludes other sites. Another origin of
 * the same site (another port or subdomain) is recognised by the headers in which the browser names the origin.
 * Over plain http, browsers send `Origin` with changes only. Reads are then protected by the same-origin policy: no
 * other origin can read a response to a request with a cookie.
 */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (site !== undefined) return site === 'same-origin' || (reads && site === 'none')
  const { origin } = request.headers
  if (origin === undefined) return reads
  return URL.parse(origin)?.host === request.host
}
