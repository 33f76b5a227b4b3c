import {
  CairnError,
  type ChatSettings,
  type ContextEntry,
  limits,
  type QueryRequest,
  type ScopeValues,
} from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { sha256 } from '../../lib/hash.ts'
import { inTurn } from '../../lib/turns.ts'
import type { ChatModel } from '../../models/chat.ts'
import type { Models } from '../../models/models.ts'
import type { ChatService } from '../chats/index.ts'
import { Query, type RetrievalService } from '../retrieval/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import { findContext, findUserContext, type Source, sourceOf } from './context.ts'
import { type InTurn, toGeneration } from './generation/index.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import { completeQuestion, leansOnConversation, refuseMisspeltFilters } from './question/index.ts'
import type { Rankers } from './rankers.ts'
import type { AskedInConversation, QuestionRewriter } from './rewriter.ts'
import type { Turn, TurnStore } from './store.ts'
import type { UserQuestion } from './user-question.ts'

export interface PreparationDependencies {
  chats: ChatService
  scopes: ScopeService
  retrieval: RetrievalService
  models: Models
  turns: TurnStore
  rewriter: Pick<QuestionRewriter, 'rewrite'>
  /** Queue for work that blocks the event loop. */
  searches: FairQueue
  rankers: Rankers
}

interface Conversation {
  sessionKey: string | undefined
  /** Oldest first. */
  history: readonly Turn[]
}

const noConversation: Conversation = { sessionKey: undefined, history: [] }

/** The end user who asks. */
export interface Asker {
  projectId: string
  appId: string
  userId: string
  chatId: string
  parentChatId: string
}

/** The file name that replaces names of documents which end users may not see. */
export const sharedDocument = 'shared document'

/** Validates questions, chooses the models and finds the context. */
export class PreparationService {
  readonly #dependencies: PreparationDependencies

  constructor(dependencies: PreparationDependencies) {
    this.#dependencies = dependencies
  }

  /** Rejects invalid requests, so that only generation errors can occur after a stream has started. */
  async prepare(
    chatId: string,
    request: QueryRequest,
    { draft = false, signal }: { draft?: boolean; signal?: AbortSignal } = {},
  ): Promise<PreparedAnswer> {
    const startedMs = Date.now()
    const { chats, scopes, retrieval, rankers } = this.#dependencies
    refuseMisspeltFilters(request)
    const configured = await (draft ? chats.findDraft(chatId) : chats.findPublished(chatId))
    const { chat, settings } = configured
    const models = this.#chooseModels(request, settings.selected_model)
    const { scope_filters: filters } = request
    const scopeFilters = filters ? await scopes.checkFilters(chatId, filters) : undefined
    const conversation = await this.#conversation(chatId, request, {
      settings,
      scopeFilters,
      hasModel: models.length > 0,
    })
    const { history } = conversation
    const tenant: Tenant = [chat.project_id]
    const payer = { projectId: chat.project_id, chatId, appId: null, userId: null }
    const { rewrite, completed } = await this.#complete(
      { payer, tenant, model: models[0], question: request.question, history },
      signal,
    )
    const query = new Query(completed.text)
    const parameters = { tenant, query, scopeFilters: scopeFilters ?? {}, limit: limits.contextChunks }
    const source = sourceOf(configured)
    const rank = rankers.rankOf(settings, { tenant, payer, model: models[0] })
    const { context, places, ranking } = await findContext(retrieval, source, parameters, rank)
    const inTurn = this.#inTurn(tenant)
    const question = completed.text
    const generation = toGeneration({ inTurn, request, question, settings, models, history, context, places })
    return {
      chatId,
      payer,
      askedIn: chatId,
      request,
      scopeFilters,
      generation,
      rewrite,
      search: {
        query: query.text,
        completed,
        limit: parameters.limit,
        files: source.files === 'all' ? 'all' : source.files.length,
        settings,
        places,
      },
      ranking,
      // Without context there is no answer, so there is no turn to store.
      sessionKey: context.length > 0 ? conversation.sessionKey : undefined,
      startedMs,
      retrievedMs: Date.now(),
    }
  }

  /**
   * `prepare` for an end user: uses the parent chat's published settings, its files and the files of the user. No
   * turn is stored, and the trace has no text (see `toPrivateTrace`).
   */
  async prepareForUser(
    asker: Asker,
    userQuestion: UserQuestion,
    signal?: AbortSignal,
  ): Promise<PreparedAnswer> {
    const startedMs = Date.now()
    const { chats, scopes, retrieval, rankers } = this.#dependencies
    const { projectId, appId, userId, chatId, parentChatId } = asker
    const configured = await chats.findPublished(parentChatId)
    const { settings } = configured
    const models = this.#chooseModels({ question: userQuestion.question }, settings.selected_model)
    const history = userQuestion.history(settings.conversation_history_limit)
    const scopeFilters = await scopes.checkPrivateFilters(asker, userQuestion.scopeFilters)
    const tenant: Tenant = [projectId, userId]
    const payer = { projectId, chatId: parentChatId, appId, userId }
    const { rewrite, completed } = await this.#complete(
      { payer, tenant, model: models[0], question: userQuestion.question, history },
      signal,
    )
    const question = completed.text
    const query = new Query(question)
    const parameters = { tenant, query, scopeFilters, limit: limits.contextChunks }
    const { index_version: version } = await chats.find(chatId)
    const shared = sourceOf(configured)
    const userSource: Source = { chatId, version, files: 'all' }
    const rank = rankers.rankOf(settings, { tenant, payer, model: models[0] })
    const { context, places, sharedChunks, ranking } = await findUserContext(
      retrieval,
      shared,
      userSource,
      parameters,
      rank,
    )
    const shown = settings.show_sources_to_users ? context : withoutNames(context, sharedChunks)
    const max_tokens = Math.min(userQuestion.responseTokens ?? settings.max_tokens, settings.max_tokens)
    const request = { question: userQuestion.question, max_tokens }
    const parts = { inTurn: this.#inTurn(tenant), request, question, settings, models, history }
    return {
      chatId: parentChatId,
      payer,
      askedIn: chatId,
      request,
      scopeFilters: undefined,
      generation: toGeneration({ ...parts, context: shown, places }),
      rewrite,
      ranking,
      privateAnswer: { sharedChunks: settings.show_sources_to_users ? new Set() : sharedChunks },
      sessionKey: undefined,
      startedMs,
      retrievedMs: Date.now(),
    }
  }

  /** The question for the search: as the model rewrote it, or else as the conversation completes it. */
  async #complete(asked: AskedInConversation, signal: AbortSignal | undefined) {
    const rewrite = await this.#dependencies.rewriter.rewrite(asked, signal)
    const completed =
      rewrite?.question === undefined
        ? completeQuestion(asked.question, asked.history)
        : { text: rewrite.question, takenOver: [] }
    return { rewrite, completed }
  }

  /**
   * The model and its fallback; empty for extractive answers.
   *
   * @throws CairnError `invalid_request` for an unknown name
   */
  #chooseModels({ selected_model, model }: QueryRequest, settingsModel: string): ChatModel[] {
    const { models } = this.#dependencies
    const requested = selected_model ?? model
    if (requested != null && !models.isKnown(requested)) {
      const field = selected_model == null ? 'model' : 'selected_model'
      throw new CairnError('invalid_request', `${field} is unknown to this server`)
    }
    const chosen = models.chat(requested ?? settingsModel)
    const fallback = chosen && models.fallback(chosen)
    return [chosen, fallback].filter((model) => model !== undefined)
  }

  /**
   * The last turns of the request's session that its filters allow. `conversation_history_limit` counts messages; a
   * turn has two.
   */
  async #conversation(
    chatId: string,
    { session_id, question }: QueryRequest,
    {
      settings,
      scopeFilters = {},
      hasModel,
    }: { settings: ChatSettings; scopeFilters: ScopeValues | undefined; hasModel: boolean },
  ): Promise<Conversation> {
    const limit = Math.floor(settings.conversation_history_limit / 2)
    if (session_id == null || limit === 0) return noConversation
    const sessionKey = sha256(session_id)
    // Without a model, only a question that leans on the turns needs them.
    if (!hasModel && !leansOnConversation(question)) return { sessionKey, history: [] }
    const history = await this.#dependencies.turns.last(chatId, sessionKey, { scopeFilters, limit })
    return { sessionKey, history }
  }

  #inTurn(tenant: Tenant): InTurn {
    // The search has admitted the question; its answer must not be lost to a full queue.
    return (work) => inTurn(this.#dependencies.searches.enterAgain(tenant), work)
  }
}

/** Hides the file names of these chunks from the model and the user. */
function withoutNames(context: readonly ContextEntry[], chunks: ReadonlySet<string>): ContextEntry[] {
  return context.map((entry) => (chunks.has(entry.chunk_id) ? { ...entry, filename: sharedDocument } : entry))
}
