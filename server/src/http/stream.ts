import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { onAnswerEnd } from './answer-end.ts'

async function* from(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value
}

export interface PiecesOptions {
  headers: Record<string, string>
  /** Ends the response after this time, complete or not. */
  maxMs?: number | undefined
}

/**
 * Sends pieces of text as they arrive. An error before the first piece is thrown and becomes an ordinary HTTP error;
 * a later error breaks the connection. In every case the source's `return()` is called.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
  { headers, maxMs }: PiecesOptions,
): Promise<FastifyReply> {
  const { socket } = reply.request.raw
  const timer = maxMs === undefined ? undefined : setTimeout(() => socket.destroy(), maxMs).unref()
  // Not done by the stream below: if it is destroyed before its first read, its generator never runs.
  onAnswerEnd(reply, () => {
    clearTimeout(timer)
    // Waits for the current piece. Its failure has already reached the reader of the piece.
    pieces.return(undefined).catch(() => {})
  })
  const first = await pieces.next()
  return reply
    .headers(headers)
    .send(Readable.from(from(first, pieces), { objectMode: false, highWaterMark: 1 }))
}
