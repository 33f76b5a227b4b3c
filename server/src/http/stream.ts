import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { onAnswerEnd } from './answer-end.ts'

async function* from(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value
}

export interface PiecesOptions {
  headers: Record<string, string>
  /** Ends the answer, complete or not, after this time. */
  maxMs?: number | undefined
}

/**
 * Answers with pieces of text as they come. What fails before the first piece is thrown, and so becomes an
 * ordinary HTTP error; later the connection breaks. However the answer ends, the source's `return()` is called.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
  { headers, maxMs }: PiecesOptions,
): Promise<FastifyReply> {
  const { socket } = reply.request.raw
  const timer = maxMs === undefined ? undefined : setTimeout(() => socket.destroy(), maxMs).unref()
  // The stream below cannot do this: one that is destroyed before its first read never runs its generator.
  onAnswerEnd(reply, () => {
    clearTimeout(timer)
    // Waits for the piece under way. Its failure has been told to whoever asked for the piece.
    pieces.return(undefined).catch(() => {})
  })
  const first = await pieces.next()
  return reply
    .headers(headers)
    .send(Readable.from(from(first, pieces), { objectMode: false, highWaterMark: 1 }))
}
