import {
  type AnswerEvent,
  CairnError,
  type Citation,
  type ContextEntry,
  type CreatedTrace,
  type CreateTrace,
  limits,
  type QueryRequest,
  type QueryResponse,
  type ScopeValues,
  type SearchRequest,
  type SearchResponse,
} from '@cairn/contract'
import { estimateTokens, extractiveModel, isKnownModel } from '../../models/catalogue.ts'
import type { ChatService, PublishedChat } from '../chats/index.ts'
import type { RetrievalService } from '../retrieval/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import { answerExtractively } from './extractive.ts'

export interface AnsweringDependencies {
  chats: ChatService
  scopes: ScopeService
  retrieval: RetrievalService
  traces: { create(projectId: string, trace: CreateTrace): Promise<CreatedTrace> }
}

/** A question whose request was accepted and whose context is found and frozen. */
export interface PreparedAnswer {
  chatId: string
  projectId: string
  request: QueryRequest
  scopeFilters: ScopeValues | undefined
  context: readonly ContextEntry[]
  startedMs: number
  retrievedMs: number
}

interface Generated {
  answer: string
  context: ContextEntry[]
  citations: Citation[]
  model: string
  usage: QueryResponse['usage']
}

export class AnsweringService {
  readonly #dependencies: AnsweringDependencies

  constructor(dependencies: AnsweringDependencies) {
    this.#dependencies = dependencies
  }

  /** Everything that can be refused; what follows can be streamed. */
  async prepare(chatId: string, request: QueryRequest, { draft = false } = {}): Promise<PreparedAnswer> {
    const startedMs = Date.now()
    const { chats } = this.#dependencies
    const published = await (draft ? chats.findDraft(chatId) : chats.findPublished(chatId))
    checkModel(request)
    const { question: query, scope_filters: filters } = request
    const found = await this.#retrieve(published, { query, filters, limit: limits.contextChunks })
    const { project_id: projectId } = published.chat
    return { chatId, projectId, request, ...found, startedMs, retrievedMs: Date.now() }
  }

  /** The context that a question of these words would be answered from, without an answer. */
  async search(chatId: string, request: SearchRequest): Promise<SearchResponse> {
    const published = await this.#dependencies.chats.findPublished(chatId)
    const { query, scope_filters: filters, limit } = request
    const { context, scopeFilters } = await this.#retrieve(published, {
      query,
      filters,
      limit: limit ?? limits.contextChunks,
    })
    return {
      chat_id: chatId,
      results: context,
      ...(scopeFilters && { scope_filters_applied: scopeFilters }),
    }
  }

  /** What answers and searches draw on: of the files that the published settings name, those that the filters fit. */
  async #retrieve(
    { chat, settings }: PublishedChat,
    { query, filters, limit }: { query: string; filters: ScopeValues | null | undefined; limit: number },
  ) {
    const { scopes, retrieval } = this.#dependencies
    const { chat_id: chatId } = chat
    const scopeFilters = filters ? await scopes.checkFilters(chatId, filters) : undefined
    const context = await retrieval.retrieve({
      chatId,
      version: chat.index_version,
      query,
      limit,
      scopeFilters: scopeFilters ?? {},
      files: settings.context_files,
    })
    return { scopeFilters, context }
  }

  /** The whole answer; it is a trace of the chat's project, on disk, when this resolves. */
  async answer(prepared: PreparedAnswer): Promise<QueryResponse> {
    const { answer, context, citations, model, usage } = await this.#generate(prepared)
    return {
      answer,
      context,
      citations,
      chat_id: prepared.chatId,
      model,
      usage,
      ...(prepared.scopeFilters && { scope_filters_applied: prepared.scopeFilters }),
    }
  }

  /** The same answer as events: context, content …, end. What fails before the first event is thrown. */
  async *stream(prepared: PreparedAnswer): AsyncGenerator<AnswerEvent> {
    const { answer, context, model, usage } = await this.#generate(prepared)
    yield { type: 'context', data: context }
    for (const piece of pieces(answer)) yield { type: 'content', data: piece }
    yield { type: 'end', data: { usage, model } }
  }

  async #generate(prepared: PreparedAnswer): Promise<Generated> {
    const { request, context } = prepared
    const { answer, citations } = answerExtractively(request.question, context)
    // With nothing to say about the question, nothing of the context was relevant.
    const used = citations.length > 0 ? [...context] : []
    const prompt = estimateTokens(request.question + used.map((entry) => entry.chunk_text).join(''))
    const completion = estimateTokens(answer)
    const generated: Generated = {
      answer,
      context: used,
      citations: citations.map((citation) => toCitation(citation, context)),
      model: extractiveModel,
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    }
    await this.#dependencies.traces.create(prepared.projectId, toTrace(prepared, generated))
    return generated
  }
}

/** An unknown name is refused; a known one without a provider falls back, and the answer's `model` tells. */
function checkModel({ selected_model, model }: QueryRequest): void {
  const name = selected_model ?? model
  if (name == null || isKnownModel(name)) return
  const field = selected_model == null ? 'model' : 'selected_model'
  throw new CairnError('invalid_request', `${field} names no model that this server knows`)
}

function toCitation(
  { index, snippet, score }: { index: number; snippet: string; score: number },
  context: readonly ContextEntry[],
): Citation {
  const entry = context[index]
  if (!entry) throw new Error('a citation points outside of the context')
  return { snippet, score, source: entry.filename, file_id: entry.file_id, chunk_id: entry.chunk_id }
}

/** Pieces for a stream: a sentence with its citation each; joined they are the answer. */
function pieces(answer: string): string[] {
  return answer.split(/(?<=\]\s+)(?=\S)/)
}

function toTrace(prepared: PreparedAnswer, { answer, model, usage }: Generated): CreateTrace {
  const { chatId, request, context, startedMs, retrievedMs } = prepared
  const endedMs = Date.now()
  return {
    input: request.question,
    output: answer,
    model,
    latency_ms: endedMs - startedMs,
    tags: ['chat'],
    token_usage: usage,
    session_id: request.session_id ?? null,
    custom_attributes: { chat_id: chatId },
    spans: [
      {
        name: 'retrieve',
        kind: 'retrieval',
        start_ms: startedMs,
        end_ms: retrievedMs,
        attributes: { chunks: context.map(({ chunk_id, score }) => ({ chunk_id, score })) },
      },
      { name: 'generate', kind: 'llm', start_ms: retrievedMs, end_ms: endedMs, attributes: { model } },
    ],
  }
}
