import {
  type AnswerEvent,
  CairnError,
  type ChatSettings,
  type ContextEntry,
  type CreateTrace,
  limits,
  type QueryRequest,
  type QueryResponse,
  type ScopeValues,
  type SearchRequest,
  type SearchResponse,
  type Usage,
} from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { sha256 } from '../../lib/hash.ts'
import { inTurn } from '../../lib/turns.ts'
import { within } from '../../lib/within.ts'
import { estimateTokens } from '../../models/catalogue.ts'
import type { ChatModel } from '../../models/chat.ts'
import type { Models } from '../../models/models.ts'
import type { ChatService, PublishedChat } from '../chats/index.ts'
import type { Meter, Tab } from '../credits/index.ts'
import type { RetrievalService } from '../retrieval/index.ts'
import type { ScopeService } from '../scopes/index.ts'
import type { TraceRecorder } from '../traces/index.ts'
import type { Charge, Payer } from '../usage/index.ts'
import { findContext, findInBoth, type Source } from './context.ts'
import {
  type Draft,
  type Generation,
  generate,
  type InTurn,
  newDraft,
  toGeneration,
  tokensOf,
} from './generation/index.ts'
import type { OwnQuestion } from './own-question.ts'
import { refuseMisspeltFilters, searchWords } from './question/index.ts'
import type { Turn, TurnStore } from './store.ts'
import { toPrivateTrace, toTrace, wasUsed } from './trace.ts'

export interface AnsweringDependencies {
  chats: ChatService
  scopes: ScopeService
  retrieval: RetrievalService
  traces: Pick<TraceRecorder, 'record'>
  meter: Pick<Meter, 'open'>
  models: Models
  turns: TurnStore
  /** Time after which a stream sends its context, whether or not the model has begun. */
  patienceMs: number
  /** Work on the event loop, and answers by models under way. */
  queues: { searches: FairQueue; modelAnswers: FairQueue }
}

/** A question whose request was accepted and whose context is found and frozen. */
export interface PreparedAnswer {
  chatId: string
  payer: Payer
  request: QueryRequest
  scopeFilters: ScopeValues | undefined
  generation: Generation
  /** Of an end user's question: it is nobody else's, and chunks with these ids are the app's, not theirs. */
  own?: { sharedChunks: ReadonlySet<string> }
  /** Where the turn is kept when a model has answered. */
  sessionKey: string | undefined
  startedMs: number
  retrievedMs: number
}

/** An answer under way, and what is kept of it and paid for it. */
interface Answering {
  prepared: PreparedAnswer
  draft: Draft
  tab: Tab
  /** Gives the place among the answers under way back. */
  leave(): void
}

/** An answer that its caller writes down. */
export interface TriedAnswer {
  trace: CreateTrace
  charge: Omit<Charge, 'cost'>
  /** To be called when the charge is written, or will never be. */
  close(): void
}

interface Conversation {
  sessionKey: string | undefined
  /** Oldest first. */
  history: readonly Turn[]
}

const noConversation: Conversation = { sessionKey: undefined, history: [] }

/** Stands in a project's share for its test runs, which questions do not crowd out. */
const testRuns = 'test-runs'

/** The end user who asks. */
export interface Asker {
  projectId: string
  appId: string
  userId: string
  chatId: string
  parentChatId: string
}

/** What documents are called whose names are not for users. */
export const sharedDocument = 'shared document'

export class AnsweringService {
  readonly #dependencies: AnsweringDependencies
  /** Traces and turns being written. */
  readonly #recording = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(dependencies: AnsweringDependencies) {
    this.#dependencies = dependencies
  }

  /** Everything that can be refused; what follows can be streamed. */
  async prepare(chatId: string, request: QueryRequest, { draft = false } = {}): Promise<PreparedAnswer> {
    const startedMs = Date.now()
    const { chats } = this.#dependencies
    refuseMisspeltFilters(request)
    const published = await (draft ? chats.findDraft(chatId) : chats.findPublished(chatId))
    const { chat, settings } = published
    const models = this.#chooseModels(request, settings.selected_model)
    const scopeFilters = await this.#checkFilters(chatId, request)
    const conversation =
      models.length > 0
        ? await this.#conversation(chatId, request, { settings, scopeFilters })
        : noConversation
    const { history } = conversation
    const query = searchWords(request.question, history)
    const tenant: Tenant = [chat.project_id]
    const sought = { query, scopeFilters, limit: limits.contextChunks }
    const context = await this.#retrieve(tenant, published, sought)
    const inTurn = this.#inTurn(tenant)
    const generation = toGeneration({ inTurn, request, published, models, history, context })
    return {
      chatId,
      payer: { projectId: chat.project_id, chatId, appId: null, userId: null },
      request,
      scopeFilters,
      generation,
      // Without context no model is asked, and nothing is said that a conversation could go on from.
      sessionKey: context.length > 0 ? conversation.sessionKey : undefined,
      startedMs,
      retrievedMs: Date.now(),
    }
  }

  /**
   * `prepare` for an end user: with the parent chat's published settings, over its files and those of the user. Nothing
   * of it is kept but what it cost.
   */
  async prepareOwn(asker: Asker, asked: OwnQuestion): Promise<PreparedAnswer> {
    const startedMs = Date.now()
    const { chats, scopes, retrieval } = this.#dependencies
    const { projectId, appId, userId, chatId, parentChatId } = asker
    const published = await chats.findPublished(parentChatId)
    const { settings } = published
    const models = this.#chooseModels({ question: asked.question }, settings.selected_model)
    const history = models.length > 0 ? asked.history(settings.conversation_history_limit) : []
    const scopeFilters = await scopes.checkPrivateFilters(asker, asked.scopeFilters)
    const tenant: Tenant = [projectId, userId]
    const query = {
      tenant,
      query: searchWords(asked.question, history),
      scopeFilters,
      limit: limits.contextChunks,
    }
    const { index_version: version } = await chats.find(chatId)
    const shared = sourceOf(published)
    const own: Source = { chatId, version, files: 'all' }
    const { context, sharedChunks } = await findInBoth(retrieval, shared, own, query)
    const shown = settings.show_sources_to_users ? context : withoutNames(context, sharedChunks)
    const max_tokens = Math.min(asked.responseTokens ?? settings.max_tokens, settings.max_tokens)
    const request = { question: asked.question, max_tokens }
    const inTurn = this.#inTurn(tenant)
    return {
      chatId: parentChatId,
      payer: { projectId, chatId: parentChatId, appId, userId },
      request,
      scopeFilters: undefined,
      generation: toGeneration({ inTurn, request, published, models, history, context: shown }),
      own: { sharedChunks: settings.show_sources_to_users ? new Set() : sharedChunks },
      sessionKey: undefined,
      startedMs,
      retrievedMs: Date.now(),
    }
  }

  /** The context that a question of these words would be answered from, without an answer. */
  async search(chatId: string, request: SearchRequest): Promise<SearchResponse> {
    refuseMisspeltFilters(request)
    const published = await this.#dependencies.chats.findPublished(chatId)
    const scopeFilters = await this.#checkFilters(chatId, request)
    const { query, limit } = request
    const tenant: Tenant = [published.chat.project_id]
    const context = await this.#retrieve(tenant, published, {
      query,
      scopeFilters,
      limit: limit ?? limits.contextChunks,
    })
    return {
      chat_id: chatId,
      results: context,
      ...(scopeFilters && { scope_filters_applied: scopeFilters }),
    }
  }

  /**
   * The whole answer; it is a trace of the chat's project, and charged, on disk, when this resolves. Throws
   * `budget_exceeded` when nothing is left for a model to answer with.
   */
  async answer(prepared: PreparedAnswer, signal?: AbortSignal): Promise<QueryResponse> {
    const answering = await this.#open(prepared, signal)
    const { draft, tab } = answering
    for await (const _ of this.#run(answering, signal));
    return {
      answer: draft.answer,
      context: [...draft.context],
      citations: draft.citations,
      chat_id: prepared.chatId,
      model: draft.model,
      usage: usageOf(draft, tab),
      ...(prepared.scopeFilters && { scope_filters_applied: prepared.scopeFilters }),
    }
  }

  /**
   * The same answer as events: context, content …, end. What fails before the first event is thrown; to that end the
   * context waits for the first word, though not for long. Aborting ends the call to the model.
   */
  async *stream(prepared: PreparedAnswer, signal?: AbortSignal): AsyncGenerator<AnswerEvent> {
    const answering = await this.#open(prepared, signal)
    const { draft, tab } = answering
    const pieces = this.#run(answering, signal)
    try {
      const first = pieces.next()
      await within(first, this.#dependencies.patienceMs)
      yield { type: 'context', data: [...draft.context] }
      for (let next = await first; !next.done; next = await pieces.next()) {
        yield { type: 'content', data: next.value }
      }
      yield { type: 'end', data: { usage: usageOf(draft, tab), model: draft.model } }
    } finally {
      await pieces.return(undefined)
    }
  }

  /**
   * An answer that is not recorded: the trace that would tell of it, for the caller to complete and to write together
   * with the charge. Its status says whether there is a whole answer. Throws `budget_exceeded` alone.
   */
  async tryOut(prepared: PreparedAnswer, signal: AbortSignal): Promise<TriedAnswer> {
    const answering = await this.#open(prepared, signal, testRuns)
    const { draft } = answering
    let error: unknown
    try {
      for await (const _ of generate(prepared.generation, draft, signal));
    } catch (thrown) {
      error = thrown
    } finally {
      answering.leave()
    }
    return {
      trace: traceOf(answering, error),
      charge: chargeOf(answering, error),
      close: () => answering.tab.close(),
    }
  }

  /** Deletes the conversations of a project from before that time (epoch ms); answers how many turns. */
  deleteOlder(projectId: string, beforeMs: number): Promise<number> {
    return this.#dependencies.turns.deleteOlder(projectId, beforeMs)
  }

  /** Ends the answers that are still being made. */
  stop(): void {
    this.#stopping.abort(new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 }))
  }

  /** Resolves when what answers had to write is written. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#recording)
  }

  /** The model to ask, and the one that steps in; none for the built-in answerer. An unknown name is refused. */
  #chooseModels({ selected_model, model }: QueryRequest, published: string): ChatModel[] {
    const { models } = this.#dependencies
    const asked = selected_model ?? model
    if (asked != null && !models.isKnown(asked)) {
      const field = selected_model == null ? 'model' : 'selected_model'
      throw new CairnError('invalid_request', `${field} names no model that this server knows`)
    }
    const chosen = models.chat(asked ?? published)
    const fallback = chosen && models.fallback(chosen)
    return [chosen, fallback].filter((model) => model !== undefined)
  }

  /**
   * The last turns of the session that a request names, as far as its filters allow them; the limit counts messages, of
   * which a turn has two.
   */
  async #conversation(
    chatId: string,
    { session_id }: QueryRequest,
    { settings, scopeFilters = {} }: { settings: ChatSettings; scopeFilters: ScopeValues | undefined },
  ): Promise<Conversation> {
    const limit = Math.floor(settings.conversation_history_limit / 2)
    if (session_id == null || limit === 0) return noConversation
    const sessionKey = sha256(session_id)
    const history = await this.#dependencies.turns.last(chatId, sessionKey, { scopeFilters, limit })
    return { sessionKey, history }
  }

  async #checkFilters(
    chatId: string,
    { scope_filters: filters }: Pick<QueryRequest, 'scope_filters'>,
  ): Promise<ScopeValues | undefined> {
    return filters ? this.#dependencies.scopes.checkFilters(chatId, filters) : undefined
  }

  /** What answers and searches draw on: of the files that the published settings name, those that the filters fit. */
  async #retrieve(
    tenant: Tenant,
    published: PublishedChat,
    {
      query,
      scopeFilters = {},
      limit,
    }: { query: string; scopeFilters: ScopeValues | undefined; limit: number },
  ): Promise<ContextEntry[]> {
    const sought = { tenant, query, limit, scopeFilters }
    return findContext(this.#dependencies.retrieval, sourceOf(published), sought)
  }

  #inTurn(tenant: Tenant): InTurn {
    return (work) => inTurn(this.#dependencies.queues.searches, tenant, work)
  }

  /**
   * Waits for a place among the answers by models under way, and holds a part of the budgets. Who opens an answer runs
   * it at once, which gives both back.
   */
  async #open(
    prepared: PreparedAnswer,
    signal: AbortSignal | undefined,
    user = prepared.payer.userId ?? undefined,
  ): Promise<Answering> {
    const draft = newDraft(prepared.generation)
    const { projectId } = prepared.payer
    const tenant: Tenant = user === undefined ? [projectId] : [projectId, user]
    const isByModel = prepared.generation.models.length > 0
    const leave = isByModel ? await this.#dependencies.queues.modelAnswers.enter(tenant, signal) : () => {}
    try {
      return { prepared, draft, tab: await this.#openTab(prepared, draft), leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  #openTab({ payer, generation }: PreparedAnswer, { prompt }: Draft): Promise<Tab> {
    const { models, request } = generation
    return this.#dependencies.meter.open(payer, 'answer', {
      models: models.map(({ name }) => name),
      promptTokens: estimateTokens(prompt),
      completionTokens: request.maxTokens ?? 0,
    })
  }

  /** The pieces of the answer; however it ends, a trace tells of it, on disk before the generator is done. */
  async *#run(answering: Answering, caller: AbortSignal | undefined): AsyncGenerator<string> {
    const { prepared, draft } = answering
    const signal = AbortSignal.any([this.#stopping.signal, ...(caller ? [caller] : [])])
    let error: unknown = new CairnError('invalid_request', 'the answer was not read to its end')
    try {
      yield* generate(prepared.generation, draft, signal)
      error = undefined
    } catch (thrown) {
      error = thrown
      throw thrown
    } finally {
      answering.leave()
      const recording = this.#record(answering, error).finally(() => answering.tab.close())
      const settling = recording.catch(() => {}).finally(() => this.#recording.delete(settling))
      this.#recording.add(settling)
      // An answer that has failed fails for its own reason.
      await (error === undefined ? recording : settling)
    }
  }

  async #record(answering: Answering, error: unknown): Promise<void> {
    const { prepared, draft } = answering
    const { chatId, payer, request, scopeFilters, sessionKey } = prepared
    await this.#dependencies.traces.record(
      payer.projectId,
      traceOf(answering, error),
      chargeOf(answering, error),
    )
    if (error !== undefined || sessionKey === undefined) return
    await this.#dependencies.turns.add(chatId, sessionKey, {
      question: request.question,
      answer: draft.answer,
      scopeFilters: scopeFilters ?? {},
    })
  }
}

function usageOf(draft: Draft, tab: Tab): Usage {
  const tokens = tokensOf(draft)
  return { ...tokens, credits: tab.creditsOf(draft.model, tokens.total_tokens) }
}

function traceOf({ prepared, draft, tab }: Answering, error: unknown): CreateTrace {
  const { chatId, payer, request, generation, own, startedMs, retrievedMs } = prepared
  const { question, session_id: sessionId } = request
  const { context } = generation
  const { credits } = usageOf(draft, tab)
  const answered = { chatId, question, sessionId, context, startedMs, retrievedMs, draft, credits, error }
  return own ? toPrivateTrace(answered, payer.appId) : toTrace(answered)
}

/** What a chat's published settings let its answers draw on. */
function sourceOf({ chat, settings }: PublishedChat): Source {
  return { chatId: chat.chat_id, version: chat.index_version, files: settings.context_files }
}

/** Without the names of these chunks' files: neither model nor user gets to see them. */
function withoutNames(context: readonly ContextEntry[], chunks: ReadonlySet<string>): ContextEntry[] {
  return context.map((entry) => (chunks.has(entry.chunk_id) ? { ...entry, filename: sharedDocument } : entry))
}

function chargeOf({ draft, tab }: Answering, error: unknown): Omit<Charge, 'cost'> {
  return tab.charge(wasUsed(draft, error) ? { model: draft.model, ...tokensOf(draft) } : undefined)
}
