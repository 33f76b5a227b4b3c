import type { ScopeValues, SpanInput } from '@cairn/contract'
import { CairnError, limits } from '@cairn/contract'
import { extractiveModel } from '../../models/catalogue.ts'
import { ModelError } from '../../models/model-error.ts'
import type { ChunkPlace } from '../retrieval/index.ts'
import { countCitedSentences } from './citations/index.ts'
import { type AnswerInProgress, type FailedCall, type Generation, tokensOf } from './generation/index.ts'
import type { AnswerSearch } from './prepared-answer.ts'
import type { CompletedQuestion } from './question/index.ts'
import type { Rewrite } from './rewriter.ts'

/** A text of at most `length` characters, with a note if something is missing. */
function shortened(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)}… [${text.length - length} more characters were sent]`
}

/** The failure for a trace, which developers can read. Unexpected errors get a general message. */
export function describeFailure(error: unknown): string {
  if (error instanceof ModelError) return `${error.message}: ${error.detail}`
  return error instanceof CairnError ? error.message : 'the answer could not be finished'
}

/** The times, model and tokens of the call that rewrote a question. They tell nothing about the conversation. */
export function privateRewriteSpan({ model, usage, startMs, endMs }: Rewrite): SpanInput {
  return {
    name: 'rewrite',
    kind: 'llm',
    start_ms: startMs,
    end_ms: endMs,
    model,
    ...(usage && { token_usage: { ...usage } }),
  }
}

/** The call that rewrote the question for the search. */
export function rewriteSpan(rewrite: Rewrite): SpanInput {
  const { model, request, text, question, error } = rewrite
  const { system, messages } = request
  return {
    ...privateRewriteSpan(rewrite),
    input: [{ role: 'system', content: system }, ...messages],
    output: text === '' ? [] : [{ role: 'assistant', content: text }],
    ...(error !== undefined && { status: 'error' as const, error: describeFailure(error) }),
    attributes: { model, ...(question !== undefined && { question }) },
  }
}

/** The messages that the model received. If they are too long together, the oldest ones are cut first. */
function promptOf({ models, question, request }: Generation): { role: string; content: string }[] {
  if (models.length === 0) return [{ role: 'user', content: question.text }]
  const { system, messages } = request
  let left: number = limits.tracedPromptLength
  const cut = ({ role, content }: { role: string; content: string }) => {
    const text = shortened(content, left)
    left = Math.max(0, left - content.length)
    return { role, content: text }
  }
  const instructions = system === '' ? [] : [cut({ role: 'system', content: system })]
  return [...instructions, ...messages.toReversed().map(cut).reverse()]
}

/** A place without headings, which the chunk has. */
function placeOf(place: ChunkPlace | undefined): Partial<ChunkPlace> {
  const { headings: _, ...rest } = place ?? {}
  return rest
}

/** The parts of the conversation that complete the question. */
function takenOver({ text, takenOver }: CompletedQuestion): Record<string, unknown> {
  if (takenOver.length === 0) return {}
  const parts = takenOver.map((part) => ({ ...part, text: shortened(part.text, limits.tracedPassageLength) }))
  return { completed_question: text, taken_over: parts }
}

/** The retrieval of an answer's context. */
export function retrievalSpan(
  { context }: Generation,
  search: AnswerSearch | undefined,
  { startMs, endMs, scopeFilters }: { startMs: number; endMs: number; scopeFilters: ScopeValues | undefined },
): SpanInput {
  const passages = context.map(({ file_id, chunk_id, filename, score, chunk_text }) => ({
    file_id,
    chunk_id,
    filename,
    ...placeOf(search?.places.get(chunk_id)),
    score,
    text: shortened(chunk_text, limits.tracedPassageLength),
  }))
  return {
    name: 'retrieve',
    kind: 'retrieval',
    start_ms: startMs,
    end_ms: endMs,
    ...(search && { input: search.query }),
    output: passages,
    attributes: {
      chunks: context.map(({ chunk_id, score }) => ({ chunk_id, score })),
      ...(search && { limit: search.limit, files: search.files }),
      ...(scopeFilters && { scope_filters: scopeFilters }),
      ...(search && takenOver(search.completed)),
    },
  }
}

/** `retry`, `fallback` or `quotes`, with the failure before it. */
function failureEvent({ model, timeMs, error, next }: FailedCall) {
  return { name: next, time_ms: timeMs, attributes: { model, error: describeFailure(error) } }
}

/** The generation of an answer. It has tokens if the provider charges for it (`wasUsed`). */
export function generationSpan(
  generation: Generation,
  inProgress: AnswerInProgress,
  search: AnswerSearch | undefined,
  { startMs, endMs, wasUsed }: { startMs: number; endMs: number; wasUsed: boolean },
): SpanInput {
  const { answer, model, usage, failed, begunMs, firstMs, failures } = inProgress
  const { temperature, maxTokens } = generation.request
  const isByModel = generation.models.length > 0
  const retries = failures.filter(({ next }) => next === 'retry').length
  const settings = search && {
    selected_model: search.settings.selected_model,
    conversation_history_limit: search.settings.conversation_history_limit,
    show_sources_to_users: search.settings.show_sources_to_users,
    quote_on_failure: search.settings.quote_on_failure,
  }
  return {
    name: 'generate',
    kind: 'llm',
    start_ms: startMs,
    end_ms: endMs,
    model,
    input: promptOf(generation),
    output: answer === '' ? [] : [{ role: 'assistant', content: answer }],
    ...(wasUsed && { token_usage: { ...usage, ...tokensOf(inProgress) } }),
    ...(failures.length > 0 && { events: failures.map(failureEvent) }),
    attributes: {
      model,
      ...(failed && { instead_of: failed }),
      ...(isByModel && { temperature, max_tokens: maxTokens, retries }),
      ...(isByModel && model !== extractiveModel && { citations: countCitedSentences(answer) }),
      ...(begunMs !== undefined && firstMs !== undefined && { time_to_first_token_ms: firstMs - begunMs }),
      ...(settings && { settings }),
    },
  }
}
