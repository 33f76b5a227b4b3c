import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../lib/principals.ts'
import type { WindowState } from './rate-limit.ts'

/** The end user of a route whose access rule is `user`. */
export function userOf({ user }: FastifyRequest): UserPrincipal {
  if (!user) throw new Error('the route does not require a user token')
  return user
}

/** Sets the rate limit headers. The reset time is rounded up to a second, so that waiting until then is enough. */
export function windowHeaders(reply: FastifyReply, limit: number, { remaining, endsMs }: WindowState): void {
  reply
    .header('x-ratelimit-limit', String(limit))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(Math.ceil(endsMs / 1000)))
}
