import type { ContextEntry, CreateTrace, SpanInput } from '@cairn/contract'
import { CairnError } from '@cairn/contract'
import { ModelError } from '../../models/model-error.ts'
import { type Draft, usageOf } from './generation.ts'

export interface Answered {
  chatId: string
  question: string
  sessionId: string | null | undefined
  /** What was found, whether or not the answer drew on it. */
  context: readonly ContextEntry[]
  startedMs: number
  retrievedMs: number
  draft: Draft
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
  draft,
  error,
}: Answered): CreateTrace {
  const endedMs = Date.now()
  const { answer, model, usage, failed } = draft
  const problem = error === undefined ? undefined : { status: 'error' as const, error: describe(error) }
  const wasUsed = !problem || answer !== ''
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
    ...(wasUsed && { token_usage: { ...usage, ...usageOf(draft) } }),
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

/** For the developer who reads the trace: never what a provider wrote. */
function describe(error: unknown): string {
  if (error instanceof ModelError) return `${error.message}: ${error.detail}`
  return error instanceof CairnError ? error.message : 'the answer could not be finished'
}
