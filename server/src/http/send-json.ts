import type { FastifyReply } from 'fastify'

/** Answers with text that is JSON already. Its shape is the one that the route's schema documents. */
export function sendJson<T>(reply: FastifyReply, json: Buffer): T {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json) as unknown as T
}
