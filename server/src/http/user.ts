import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from './access.ts'
import type { WindowState } from './rate-limit.ts'

/** The end user of a route that takes their token. */
export function userOf({ user }: FastifyRequest): UserPrincipal {
  if (!user) throw new Error('the route takes no user token')
  return user
}

/** Tells how much of a limit is left; the window ends at a whole second, so that waiting for it is enough. */
export function windowHeaders(reply: FastifyReply, limit: number, { remaining, endsMs }: WindowState): void {
  reply
    .header('x-ratelimit-limit', String(limit))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(Math.ceil(endsMs / 1000)))
}
