import type { AnswerEvent } from '@cairn/contract'
import { readEventData } from './events.ts'
import type { CallOptions, Transport } from './transport.ts'

/**
 * The events of an answer: context, content …, end. If the answer fails midway, an `error` event replaces `end`.
 * Leaving the loop early, or aborting the signal, stops the answer on the server.
 * Throws if the connection closes before the last event.
 */
export async function* streamAnswer<E extends { type: string } = AnswerEvent>(
  transport: Transport,
  path: string,
  body: object,
  options?: CallOptions,
): AsyncGenerator<E> {
  const response = await transport.send('POST', path, { body, ...options })
  if (!response.body) throw new Error('the server sent no events')
  for await (const data of readEventData(response.body)) {
    const event = JSON.parse(data) as E
    yield event
    if (event.type === 'end' || event.type === 'error') return
  }
  throw new Error('the connection closed before the answer was complete')
}
