import type { ContextEntry, CreateTrace, SpanInput } from '@cairn/contract'
import { CairnError } from '@cairn/contract'
import { ModelError } from '../../models/model-error.ts'
import { type AnswerInProgress, tokensOf } from './generation/index.ts'

export interface Answered {
  chatId: string
  question: string
  sessionId: string | null | undefined
  /** What was found, whether or not the answer drew on it. */
  context: readonly ContextEntry[]
  startedMs: number
  retrievedMs: number
  inProgress: AnswerInProgress
  credits: number
  /** Why there is no whole answer. */
  error: unknown
}

/** An answer, or what there is of it, as a trace of the chat's project. */
export function toTrace({
  chatId,
  question,
  sessionId,
  context,
  startedMs,
  retrievedMs,
  inProgress,
  credits,
  error,
}: Answered): CreateTrace {
  const endedMs = Date.now()
  const { answer, model, usage, failed } = inProgress
  const problem = error === undefined ? undefined : { status: 'error' as const, error: describe(error) }
  const counts: Record<string, number> = { ...usage, ...tokensOf(inProgress), credits }
  const generated: SpanInput = {
    name: 'generate',
    kind: 'llm',
    start_ms: retrievedMs,
    end_ms: endedMs,
    attributes: { model, ...(failed && { instead_of: failed }) },
    ...problem,
  }
  return {
    input: question,
    output: answer,
    model,
    latency_ms: endedMs - startedMs,
    tags: ['chat'],
    ...(wasUsed(inProgress, error) && { token_usage: counts }),
    session_id: sessionId ?? null,
    custom_attributes: { chat_id: chatId },
    spans: [
      {
        name: 'retrieve',
        kind: 'retrieval',
        start_ms: startedMs,
        end_ms: retrievedMs,
        attributes: { chunks: context.map(({ chunk_id, score }) => ({ chunk_id, score })) },
      },
      generated,
    ],
    ...problem,
  }
}

/**
 * An answer to an end user as the developer sees it: that it was given, how long it took and what it cost. Built from
 * what may be in it: no question, answer, file or chunk comes in by a field that is added one day.
 */
export function toPrivateTrace(
  { chatId, startedMs, retrievedMs, inProgress, credits, error }: Answered,
  appId: string | null,
): CreateTrace {
  const endedMs = Date.now()
  const { model, usage } = inProgress
  const reason = error instanceof CairnError ? error.message : 'the answer could not be finished'
  const problem = error === undefined ? undefined : { status: 'error' as const, error: reason }
  const counts: Record<string, number> = { ...usage, ...tokensOf(inProgress), credits }
  return {
    input: '',
    output: '',
    model,
    latency_ms: endedMs - startedMs,
    tags: ['chat'],
    ...(wasUsed(inProgress, error) && { token_usage: counts }),
    custom_attributes: { chat_id: chatId, app_id: appId },
    spans: [
      { name: 'retrieve', kind: 'retrieval', start_ms: startedMs, end_ms: retrievedMs },
      { name: 'generate', kind: 'llm', start_ms: retrievedMs, end_ms: endedMs, ...problem },
    ],
    ...problem,
  }
}

/** Whether a provider will want to be paid: for a whole answer, and for what came of one that was cut off. */
export function wasUsed({ answer }: AnswerInProgress, error: unknown): boolean {
  return error === undefined || answer !== ''
}

/** For the developer who reads the trace: never what a provider wrote. */
function describe(error: unknown): string {
  if (error instanceof ModelError) return `${error.message}: ${error.detail}`
  return error instanceof CairnError ? error.message : 'the answer could not be finished'
}
