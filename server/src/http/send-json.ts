import type { FastifyReply } from 'fastify'

/** Sends text that is already JSON, with the shape that the route's schema documents. */
export function sendJson<T>(reply: FastifyReply, json: Buffer): T {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json) as unknown as T
}
