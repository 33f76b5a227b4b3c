import type { ChatSettings, Citation, ContextEntry, QueryRequest, Usage } from '@cairn/contract'
import { estimateTokens, extractiveModel } from '../../../models/catalogue.ts'
import type { ChatModel, ChatPart, ChatRequest, ModelUsage } from '../../../models/chat.ts'
import { ModelError } from '../../../models/model-error.ts'
import { CitationGuard, toCitation, toCitations } from '../citations/index.ts'
import { answerExtractively, type Candidate, rankPassages } from '../extractive/index.ts'
import { Question } from '../question/index.ts'
import type { Turn } from '../store.ts'
import { buildPrompt } from './prompt.ts'

/** The state of an answer while it is generated. */
export interface AnswerInProgress {
  answer: string
  /** The context of the answer; empty if an extractive answer found nothing in it. */
  context: readonly ContextEntry[]
  citations: Citation[]
  /** The model that generates the answer, possibly the fallback. */
  model: string
  /** Undefined until a model has finished. */
  usage: ModelUsage | undefined
  /** The prompt, to estimate its tokens if the provider does not report them. */
  prompt: string
  /** The model that failed before the fallback model was used. */
  failed: string | undefined
  /** When the generation began, and when its first text came; Unix milliseconds. */
  begunMs: number | undefined
  firstMs: number | undefined
  /** The failed calls that were followed by another try or by the fallback, in order. */
  failures: FailedCall[]
}

/** A call to a model that was not the last one. */
export interface FailedCall {
  model: string
  timeMs: number
  error: unknown
  /** What followed: the same model, the fallback model, or quotes of the documents. */
  next: 'retry' | 'fallback' | 'quotes'
}

/** Runs work that blocks the event loop, when it is the tenant's turn. */
export type InTurn = <T>(work: () => T) => Promise<T>

export interface Generation {
  inTurn: InTurn
  question: Question
  context: readonly ContextEntry[]
  /** The passages of the context that match the question. The first call ranks them, which blocks the event loop. */
  passages: () => readonly Candidate[]
  /** The model and its fallback; empty for an extractive answer. */
  models: readonly ChatModel[]
  /** If all models fail before their first word, passages of the context are the answer. */
  quotesOnFailure: boolean
  request: ChatRequest
}

interface GenerationParts {
  inTurn: InTurn
  request: QueryRequest
  /** The question of the request, completed from the conversation. */
  question: string
  settings: ChatSettings
  models: readonly ChatModel[]
  history: readonly Turn[]
  context: ContextEntry[]
  /** The headings of the chunks, which may have the heads of a table's columns. */
  places: ReadonlyMap<string, { headings: readonly string[] }>
}

/** Values of the request override the settings of the chat. Without context, no model is used. */
export function toGeneration(parts: GenerationParts): Generation {
  const { inTurn, request, settings, models, history, context } = parts
  const { temperature, max_tokens, custom_prompt } = request
  const customPrompt = custom_prompt ?? settings.custom_prompt
  const question = new Question(parts.question)
  const withHeadings = (entry: ContextEntry) => ({
    ...entry,
    headings: parts.places.get(entry.chunk_id)?.headings ?? [],
  })
  let ranked: readonly Candidate[] | undefined
  return {
    inTurn,
    question,
    context,
    passages: () => {
      ranked ??= rankPassages(question, context.map(withHeadings))
      return ranked
    },
    models: context.length > 0 ? models : [],
    quotesOnFailure: settings.quote_on_failure,
    request: {
      ...buildPrompt({ question: request.question, context, history, customPrompt }),
      temperature: temperature ?? settings.temperature,
      maxTokens: max_tokens ?? settings.max_tokens,
    },
  }
}

export function beginAnswer({ context, models, request }: Generation): AnswerInProgress {
  const prompt = [request.system, ...request.messages.map(({ content }) => content)].join('\n')
  const model = models[0]?.name ?? extractiveModel
  return {
    answer: '',
    context,
    citations: [],
    model,
    usage: undefined,
    prompt,
    failed: undefined,
    begunMs: undefined,
    firstMs: undefined,
    failures: [],
  }
}

/**
 * Generates the answer in pieces, and updates `inProgress`.
 *
 * @throws ModelError, or the reason of the signal
 */
export async function* generate(
  generation: Generation,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  inProgress.begunMs = Date.now()
  for await (const piece of pieces(generation, inProgress, signal)) {
    if (piece === '') continue
    inProgress.firstMs ??= Date.now()
    inProgress.answer += piece
    yield piece
  }
}

function pieces(generation: Generation, inProgress: AnswerInProgress, signal: AbortSignal | undefined) {
  return generation.models.length > 0
    ? generateWithModel(generation, inProgress, signal)
    : generateExtractively(generation, inProgress)
}

/** Answers with passages of the context. If there is none, the context is not relevant, so it becomes empty. */
async function* generateExtractively(
  { inTurn, question, context, passages }: Generation,
  inProgress: AnswerInProgress,
): AsyncGenerator<string> {
  const { answer, citations } = await inTurn(() => answerExtractively(passages(), context))
  inProgress.model = extractiveModel
  inProgress.context = citations.length > 0 ? context : []
  inProgress.citations = citations.map((citation) => toCitation(citation, context))
  inProgress.prompt = question.text + inProgress.context.map((entry) => entry.chunk_text).join('')
  // Each piece ends with its citation.
  yield* answer.split(/(?<=\]\s+)(?=\S)/)
}

async function* generateWithModel(
  generation: Generation,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const { inTurn, context, passages, models, request } = generation
  const guard = new CitationGuard(context.length)
  let hasBegun = false
  try {
    for await (const part of streamWithFallback(models, request, inProgress, signal)) {
      hasBegun = true
      if (part.type === 'end') inProgress.usage = part.usage
      else yield guard.feed(part.text)
    }
  } catch (error) {
    const isModelError = error instanceof ModelError
    if (!generation.quotesOnFailure || hasBegun || !isModelError || signal?.aborted) throw error
    inProgress.failures.push({ model: inProgress.model, timeMs: Date.now(), error, next: 'quotes' })
    inProgress.failed = inProgress.model
    yield* generateExtractively(generation, inProgress)
    return
  }
  yield guard.end()
  const { cited } = guard
  inProgress.citations = cited.length === 0 ? [] : await inTurn(() => toCitations(cited, passages(), context))
}

function failedCall({ name }: ChatModel, error: unknown, next: FailedCall['next']): FailedCall {
  return { model: name, timeMs: Date.now(), error, next }
}

/** The parts of the first model that responds. After its first part, its failure is final and no fallback is used. */
async function* streamWithFallback(
  [model, ...others]: readonly ChatModel[],
  request: ChatRequest,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatPart> {
  if (!model) return
  inProgress.model = model.name
  let hasBegun = false
  try {
    const onRetry = (error: unknown) => inProgress.failures.push(failedCall(model, error, 'retry'))
    for await (const part of model.stream(request, signal, onRetry)) {
      hasBegun = true
      yield part
    }
  } catch (error) {
    if (hasBegun || others.length === 0 || signal?.aborted) throw error
    inProgress.failed = model.name
    inProgress.failures.push(failedCall(model, error, 'fallback'))
    yield* streamWithFallback(others, request, inProgress, signal)
  }
}

/** The tokens that the provider reported; otherwise an estimate from prompt and answer. */
export function tokensOf({ usage, prompt, answer }: AnswerInProgress): Omit<Usage, 'credits'> {
  const prompt_tokens = usage?.prompt_tokens ?? estimateTokens(prompt)
  const completion_tokens = usage?.completion_tokens ?? estimateTokens(answer)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
