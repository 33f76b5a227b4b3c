import { CairnError, type CreateTrace, type ScopeValues } from '@cairn/contract'
import { type AnswerInProgress, type Generation, tokensOf } from './generation/index.ts'
import type { AnswerSearch } from './prepare.ts'
import { describeFailure, generationSpan, retrievalSpan } from './trace-spans.ts'

export interface Answered {
  chatId: string
  question: string
  sessionId: string | null | undefined
  /** With all found chunks, including chunks that the answer does not use. */
  generation: Generation
  search: AnswerSearch | undefined
  scopeFilters: ScopeValues | undefined
  startedMs: number
  retrievedMs: number
  inProgress: AnswerInProgress
  credits: number
  /** The failure of the answer, or undefined. */
  error: unknown
}

/** Builds the trace of a complete or failed answer. */
export function toTrace({
  chatId,
  question,
  sessionId,
  generation,
  search,
  scopeFilters,
  startedMs,
  retrievedMs,
  inProgress,
  credits,
  error,
}: Answered): CreateTrace {
  const endedMs = Date.now()
  const { answer, model, usage } = inProgress
  const problem =
    error === undefined ? undefined : { status: 'error' as const, error: describeFailure(error) }
  const counts: Record<string, number> = { ...usage, ...tokensOf(inProgress), credits }
  const isUsed = wasUsed(inProgress, error)
  const retrieved = { startMs: startedMs, endMs: retrievedMs, scopeFilters }
  const generated = { startMs: retrievedMs, endMs: endedMs, wasUsed: isUsed }
  return {
    input: question,
    output: answer,
    model,
    latency_ms: endedMs - startedMs,
    tags: ['chat'],
    ...(isUsed && { token_usage: counts }),
    session_id: sessionId ?? null,
    custom_attributes: { chat_id: chatId },
    spans: [
      retrievalSpan(generation, search, retrieved),
      { ...generationSpan(generation, inProgress, search, generated), ...problem },
    ],
    ...problem,
  }
}

/**
 * Builds the trace of an answer to an end user, which developers can read. It has only times, model, tokens and
 * costs. Each field is listed explicitly, so that a field added to `toTrace` later cannot reveal questions, answers,
 * files or chunks.
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

/** Whether the provider charges for the answer: for a complete one, and for a failed one with any output. */
export function wasUsed({ answer }: AnswerInProgress, error: unknown): boolean {
  return error === undefined || answer !== ''
}
