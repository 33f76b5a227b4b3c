import type { FastifyReply, FastifyRequest } from 'fastify'

/** Names the next page, if there is one, in X-Next-Cursor and Link: this one's address with another cursor. */
export function linkNextPage(request: FastifyRequest, reply: FastifyReply, cursor: string | undefined): void {
  if (cursor === undefined) return
  const url = new URL(request.url, 'http://localhost')
  url.searchParams.set('cursor', cursor)
  reply.header('x-next-cursor', cursor).header('link', `<${url.pathname}${url.search}>; rel="next"`)
}
