import { CairnError } from '@cairn/contract'
import type { FastifyReply } from 'fastify'
import { sendPieces } from './stream.ts'

function encode(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/** A failure after the first event can only be told as one more event. */
async function* encodeAll(events: AsyncIterable<object>): AsyncGenerator<string> {
  let begun = false
  try {
    for await (const event of events) {
      yield encode(event)
      begun = true
    }
  } catch (error) {
    if (!begun) throw error
    const message = error instanceof CairnError ? error.message : 'the answer could not be finished'
    yield encode({ type: 'error', data: message })
  }
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Answers with server-sent events, as `sendPieces` does. */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<object>): Promise<FastifyReply> {
  return sendPieces(reply, encodeAll(events), { headers })
}
