import { Readable } from 'node:stream'
import { CairnError } from '@cairn/contract'
import type { FastifyReply } from 'fastify'

function encode(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/** The first event was read already; a failure after it can only be told as one more event. */
async function* encodeAll(
  first: IteratorResult<object>,
  rest: AsyncGenerator<object>,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield encode(next.value)
  } catch (error) {
    const message = error instanceof CairnError ? error.message : 'the answer could not be finished'
    yield encode({ type: 'error', data: message })
  } finally {
    await rest.return(undefined)
  }
}

/**
 * Answers with server-sent events. A failure before the first event is thrown, and so becomes an ordinary HTTP
 * error. When the client goes away, the source's `return()` is called.
 */
export async function sendEvents(reply: FastifyReply, events: AsyncGenerator<object>): Promise<FastifyReply> {
  const first = await events.next()
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-cache, no-transform')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(encodeAll(first, events)))
}
