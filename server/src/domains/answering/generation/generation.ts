import type { Citation, ContextEntry, QueryRequest, Usage } from '@cairn/contract'
import { estimateTokens, extractiveModel } from '../../../models/catalogue.ts'
import type { ChatModel, ChatPart, ChatRequest, ModelUsage } from '../../../models/chat.ts'
import type { PublishedChat } from '../../chats/index.ts'
import { CitationGuard, toCitation, toCitations } from '../citations/index.ts'
import { answerExtractively } from '../extractive/index.ts'
import { Question } from '../question/index.ts'
import type { Turn } from '../store.ts'
import { buildPrompt } from './prompt.ts'

/** An answer while it comes to be; what stands here is what has come so far. */
export interface AnswerInProgress {
  answer: string
  /** What the answer is drawn from; empty when it found nothing there. */
  context: readonly ContextEntry[]
  citations: Citation[]
  /** What really runs. */
  model: string
  /** Undefined until a model has ended. */
  usage: ModelUsage | undefined
  /** The prompt as it was sent, for an estimate where the provider does not count. */
  prompt: string
  /** A model that failed before another one stepped in. */
  failed: string | undefined
}

/** Does work that keeps the event loop busy when it is the asker's turn. */
export type InTurn = <T>(work: () => T) => Promise<T>

export interface Generation {
  inTurn: InTurn
  question: Question
  context: readonly ContextEntry[]
  /** The model wanted, and what steps in when it fails; none for the built-in answerer. */
  models: readonly ChatModel[]
  request: ChatRequest
}

interface GenerationParts {
  inTurn: InTurn
  request: QueryRequest
  published: PublishedChat
  models: readonly ChatModel[]
  history: readonly Turn[]
  context: ContextEntry[]
}

/** What the request says wins over the published settings. Without context there is nothing to ask a model. */
export function toGeneration(parts: GenerationParts): Generation {
  const { inTurn, request, published, models, history, context } = parts
  const { settings } = published
  const { question, temperature, max_tokens, custom_prompt } = request
  const customPrompt = custom_prompt ?? settings.custom_prompt
  return {
    inTurn,
    question: new Question(question),
    context,
    models: context.length > 0 ? models : [],
    request: {
      ...buildPrompt({ question, context, history, customPrompt }),
      temperature: temperature ?? settings.temperature,
      maxTokens: max_tokens ?? settings.max_tokens,
    },
  }
}

export function beginAnswer({ context, models, request }: Generation): AnswerInProgress {
  const prompt = [request.system, ...request.messages.map(({ content }) => content)].join('\n')
  const model = models[0]?.name ?? extractiveModel
  return { answer: '', context, citations: [], model, usage: undefined, prompt, failed: undefined }
}

/** Pieces of an answer, which joined are `inProgress.answer`. Throws ModelError, or the signal's reason. */
export async function* generate(
  generation: Generation,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for await (const piece of pieces(generation, inProgress, signal)) {
    if (piece === '') continue
    inProgress.answer += piece
    yield piece
  }
}

function pieces(generation: Generation, inProgress: AnswerInProgress, signal: AbortSignal | undefined) {
  return generation.models.length > 0
    ? byModel(generation, inProgress, signal)
    : byPassages(generation, inProgress)
}

/** Passages of the context; with nothing to say about the question, nothing of the context was relevant. */
async function* byPassages(
  { inTurn, question, context }: Generation,
  inProgress: AnswerInProgress,
): AsyncGenerator<string> {
  const { answer, citations } = await inTurn(() => answerExtractively(question, context))
  inProgress.context = citations.length > 0 ? context : []
  inProgress.citations = citations.map((citation) => toCitation(citation, context))
  inProgress.prompt = question.text + inProgress.context.map((entry) => entry.chunk_text).join('')
  // A sentence with its citation each.
  yield* answer.split(/(?<=\]\s+)(?=\S)/)
}

async function* byModel(
  { inTurn, question, context, models, request }: Generation,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const guard = new CitationGuard(context.length)
  for await (const part of firstToAnswer(models, request, inProgress, signal)) {
    if (part.type === 'end') inProgress.usage = part.usage
    else yield guard.feed(part.text)
  }
  yield guard.end()
  const { cited } = guard
  inProgress.citations = cited.length === 0 ? [] : await inTurn(() => toCitations(cited, question, context))
}

/** What the first model says that says anything. Once there is a word of it, its failure is the failure of all. */
async function* firstToAnswer(
  [model, ...others]: readonly ChatModel[],
  request: ChatRequest,
  inProgress: AnswerInProgress,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatPart> {
  if (!model) return
  inProgress.model = model.name
  let hasBegun = false
  try {
    for await (const part of model.stream(request, signal)) {
      hasBegun = true
      yield part
    }
  } catch (error) {
    if (hasBegun || others.length === 0 || signal?.aborted) throw error
    inProgress.failed = model.name
    yield* firstToAnswer(others, request, inProgress, signal)
  }
}

/** The provider's numbers, else an estimate of what was sent and said. */
export function tokensOf({ usage, prompt, answer }: AnswerInProgress): Omit<Usage, 'credits'> {
  const prompt_tokens = usage?.prompt_tokens ?? estimateTokens(prompt)
  const completion_tokens = usage?.completion_tokens ?? estimateTokens(answer)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
