import type { AnswerEvent, QueryRequest } from '@cairn/sdk'
import { client } from '../../shared/client.ts'
import { randomId } from '../../ui/random-id.ts'
import { messageOf, requestIdOf } from '../../ui/states/error-notice.tsx'
import { addTurn, changeTurn, keep, type Turn } from './conversation.ts'

const underWay = new Map<string, AbortController>()

/** Asks a question; the answer streams into the conversation, also while another screen is open. */
export async function ask(
  chatId: string,
  sessionId: string,
  { request, isDraft }: Pick<Turn, 'request' | 'isDraft'>,
): Promise<void> {
  const id = randomId()
  const stopping = new AbortController()
  const from = performance.now()
  underWay.set(id, stopping)
  addTurn(chatId, sessionId, {
    id,
    askedAt: new Date().toISOString(),
    request,
    isDraft,
    state: 'waiting',
    answer: '',
  })
  try {
    for await (const event of streamOf(chatId, request, isDraft, stopping.signal)) {
      const elapsedMs = performance.now() - from
      changeTurn(id, (turn) => withEvent(turn, event, elapsedMs))
    }
  } catch (error) {
    const ended: Partial<Turn> = stopping.signal.aborted
      ? { state: 'stopped' }
      : { state: 'failed', error: messageOf(error), requestId: requestIdOf(error) }
    changeTurn(id, (turn) => ({ ...turn, ...ended, tookMs: performance.now() - from }))
  } finally {
    underWay.delete(id)
    keep()
  }
}

/** Aborts an answer; the server stops generating it. */
export function stopAnswer(id: string): void {
  underWay.get(id)?.abort()
}

function streamOf(chatId: string, request: QueryRequest, isDraft: boolean, signal: AbortSignal) {
  return isDraft
    ? client.internal.stream({ chat_id: chatId, ...request }, { signal })
    : client.answers.stream(chatId, request, { signal })
}

function withEvent(turn: Turn, event: AnswerEvent, elapsedMs: number): Turn {
  switch (event.type) {
    case 'context':
      return { ...turn, context: event.data, state: 'streaming' }
    case 'content':
      return {
        ...turn,
        state: 'streaming',
        answer: turn.answer + event.data,
        firstMs: turn.firstMs ?? elapsedMs,
      }
    case 'end':
      return { ...turn, ...event.data, state: 'done', tookMs: elapsedMs }
    case 'error':
      return {
        ...turn,
        state: 'failed',
        error: event.data,
        requestId: event.error.request_id,
        tookMs: elapsedMs,
      }
  }
}
