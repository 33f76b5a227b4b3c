import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

async function* from(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return(undefined)
  }
}

export interface PiecesOptions {
  headers: Record<string, string>
  /** Ends the answer when the client reads nothing for this long. */
  stallMs?: number
}

/**
 * Answers with pieces of text as they come. What fails before the first piece is thrown, and so becomes an
 * ordinary HTTP error; later the connection breaks. When the client goes away the source's `return()` is called.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
  { headers, stallMs }: PiecesOptions,
): Promise<FastifyReply> {
  const first = await pieces.next()
  if (stallMs !== undefined) reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
  return reply
    .headers(headers)
    .send(Readable.from(from(first, pieces), { objectMode: false, highWaterMark: 1 }))
}
