import { CairnError } from '@cairn/contract'
import type { FastifyReply } from 'fastify'
import { within } from '../lib/within.ts'
import { onAnswerEnd } from './answer-end.ts'
import { reportFailure } from './errors.ts'
import { sendPieces } from './stream.ts'

function encode(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/** A comment line, which clients ignore. */
const keepAlive = ': keep-alive\n\n'

export interface EventsOptions {
  /** Time without an event after which a comment is sent. */
  heartbeatMs: number
}

/** After the first event, a failure can only be sent as another event. */
async function* encodeAll(
  events: AsyncGenerator<object>,
  { heartbeatMs }: EventsOptions,
  explain: (error: unknown) => object,
): AsyncGenerator<string> {
  let begun = false
  try {
    for (let next = events.next(); ; ) {
      const result = begun ? await within(next, heartbeatMs) : await next
      if (result?.done) return
      yield result ? encode(result.value) : keepAlive
      begun = true
      if (result) next = events.next()
    }
  } catch (error) {
    if (!begun) throw error
    yield encode(explain(error))
  } finally {
    await events.return(undefined)
  }
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Responds with server-sent events; see `sendPieces`. */
export function sendEvents(
  reply: FastifyReply,
  events: AsyncGenerator<object>,
  options: EventsOptions,
): Promise<FastifyReply> {
  const explain = (error: unknown) => {
    const { code, message } = reportFailure(error, reply.log)
    return { type: 'error', data: message, error: { type: code, request_id: reply.request.id } }
  }
  return sendPieces(reply, encodeAll(events, options, explain), { headers })
}

/** Aborts if the client disconnects before the response is complete. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  onAnswerEnd(reply, () => {
    if (reply.raw.writableFinished) return
    controller.abort(
      new CairnError('invalid_request', 'the client disconnected before the response was complete'),
    )
  })
  return controller.signal
}
