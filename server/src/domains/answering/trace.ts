import { CairnError, type CreateTrace, type SpanInput } from '@cairn/contract'
import { type AnswerInProgress, tokensOf } from './generation/index.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import { privateRankingSpan, rankingSpan } from './reranking/index.ts'
import type { Rewrite } from './rewriter.ts'
import {
  describeFailure,
  generationSpan,
  privateRewriteSpan,
  retrievalSpan,
  rewriteSpan,
} from './trace-spans.ts'

type Prepared = Pick<
  PreparedAnswer,
  | 'chatId'
  | 'request'
  | 'generation'
  | 'rewrite'
  | 'search'
  | 'ranking'
  | 'scopeFilters'
  | 'startedMs'
  | 'retrievedMs'
>

export interface Answered extends Prepared {
  inProgress: AnswerInProgress
  credits: number
  /** The failure of the answer, or undefined. */
  error: unknown
}

/** Builds the trace of a complete or failed answer. */
export function toTrace({
  chatId,
  request: { question, session_id: sessionId },
  generation,
  rewrite,
  search,
  ranking,
  scopeFilters,
  startedMs,
  retrievedMs,
  inProgress,
  credits,
  error,
}: Answered): CreateTrace {
  const endedMs = Date.now()
  const { answer, model } = inProgress
  const problem =
    error === undefined ? undefined : { status: 'error' as const, error: describeFailure(error) }
  const counts: Record<string, number> = { ...tokensOfCalls(inProgress, rewrite), credits }
  const isUsed = wasUsed(inProgress, error)
  const retrieved = { startMs: rewrite?.endMs ?? startedMs, endMs: retrievedMs, scopeFilters }
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
      ...(rewrite ? [rewriteSpan(rewrite)] : []),
      ...withRanking(
        retrievalSpan(generation, search, retrieved),
        ranking && rankingSpan(ranking, describeFailure),
      ),
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
  { chatId, rewrite, ranking, startedMs, retrievedMs, inProgress, credits, error }: Answered,
  appId: string | null,
): CreateTrace {
  const endedMs = Date.now()
  const { model } = inProgress
  const reason = error instanceof CairnError ? error.message : 'the answer could not be finished'
  const problem = error === undefined ? undefined : { status: 'error' as const, error: reason }
  const used = wasUsed(inProgress, error)
  const counts: Record<string, number> = { ...tokensOfCalls(inProgress, rewrite), credits }
  return {
    input: '',
    output: '',
    model,
    latency_ms: endedMs - startedMs,
    tags: ['chat'],
    ...(used && { token_usage: counts }),
    custom_attributes: { chat_id: chatId, app_id: appId },
    spans: [
      ...(rewrite ? [privateRewriteSpan(rewrite)] : []),
      ...withRanking(
        {
          name: 'retrieve',
          kind: 'retrieval',
          start_ms: rewrite?.endMs ?? startedMs,
          end_ms: retrievedMs,
        },
        ranking && privateRankingSpan(ranking),
      ),
      {
        name: 'generate',
        kind: 'llm',
        start_ms: retrievedMs,
        end_ms: endedMs,
        // If a span has a cost, the cost of the trace is computed from the spans only.
        ...((rewrite || ranking) && {
          model,
          ...(used && { token_usage: { ...inProgress.usage, ...tokensOf(inProgress) } }),
        }),
        ...problem,
      },
    ],
    ...problem,
  }
}

/** The span of a retrieval, with its ranking as a part of it. */
function withRanking(retrieval: SpanInput, ranking: SpanInput | undefined): SpanInput[] {
  if (!ranking) return [retrieval]
  return [
    { ...retrieval, span_id: 'retrieve' },
    { ...ranking, span_id: 'rerank', parent_id: 'retrieve' },
  ]
}

/** The tokens of the answer, and of the rewriting if the same model did it: the tokens of a trace are of one model. */
function tokensOfCalls(inProgress: AnswerInProgress, rewrite: Rewrite | undefined): Record<string, number> {
  const counts: Record<string, number> = { ...inProgress.usage, ...tokensOf(inProgress) }
  const included = rewrite?.model === inProgress.model ? rewrite.usage : undefined
  for (const [name, tokens] of Object.entries(included ?? {})) {
    counts[name] = (counts[name] ?? 0) + tokens
  }
  return counts
}

/** Whether the provider charges for the answer: for a complete one, and for a failed one with any output. */
export function wasUsed({ answer }: AnswerInProgress, error: unknown): boolean {
  return error === undefined || answer !== ''
}
