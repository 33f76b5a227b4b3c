import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sets X-Next-Cursor and Link if there is a next page: the address of this page with another cursor. */
export function linkNextPage(request: FastifyRequest, reply: FastifyReply, cursor: string | undefined): void {
  if (cursor === undefined) return
  const url = new URL(request.url, 'http://localhost')
  url.searchParams.set('cursor', cursor)
  reply.header('x-next-cursor', cursor).header('link', `<${url.pathname}${url.search}>; rel="next"`)
}
