import {
  type AnswerEvent,
  CairnError,
  type CreateTrace,
  type QueryResponse,
  type Usage,
} from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { within } from '../../lib/within.ts'
import { estimateTokens } from '../../models/catalogue.ts'
import type { Meter, Reservation } from '../credits/index.ts'
import type { TraceRecorder } from '../traces/index.ts'
import type { Charge } from '../usage/index.ts'
import { type AnswerInProgress, beginAnswer, generate, tokensOf } from './generation/index.ts'
import type { PreparedAnswer } from './prepare.ts'
import type { TurnStore } from './store.ts'
import { toPrivateTrace, toTrace, wasUsed } from './trace.ts'

export interface AnsweringDependencies {
  traces: Pick<TraceRecorder, 'record'>
  meter: Pick<Meter, 'open'>
  turns: TurnStore
  /** Time after which a stream sends its context, whether or not the model has begun. */
  patienceMs: number
  /** Answers by models under way. */
  modelAnswers: FairQueue
}

/** An answer under way, and what is kept of it and paid for it. */
interface Answering {
  prepared: PreparedAnswer
  inProgress: AnswerInProgress
  reservation: Reservation
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

/** Stands in a project's share for its test runs, which questions do not crowd out. */
const testRuns = 'test-runs'

/** Answers prepared questions, and records and charges each answer. */
export class AnsweringService {
  readonly #dependencies: AnsweringDependencies
  /** Traces and turns being written. */
  readonly #recording = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(dependencies: AnsweringDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * The whole answer; it is a trace of the chat's project, and charged, on disk, when this resolves. Throws
   * `budget_exceeded` when nothing is left for a model to answer with.
   */
  async answer(prepared: PreparedAnswer, signal?: AbortSignal): Promise<QueryResponse> {
    const answering = await this.#open(prepared, signal)
    const { inProgress, reservation } = answering
    for await (const _ of this.#run(answering, signal));
    return {
      answer: inProgress.answer,
      context: [...inProgress.context],
      citations: inProgress.citations,
      chat_id: prepared.chatId,
      model: inProgress.model,
      usage: usageOf(inProgress, reservation),
      ...(prepared.scopeFilters && { scope_filters_applied: prepared.scopeFilters }),
    }
  }

  /**
   * The same answer as events: context, content …, end. What fails before the first event is thrown; to that end the
   * context waits for the first word, though not for long. Aborting ends the call to the model.
   */
  async *stream(prepared: PreparedAnswer, signal?: AbortSignal): AsyncGenerator<AnswerEvent> {
    const answering = await this.#open(prepared, signal)
    const { inProgress, reservation } = answering
    const pieces = this.#run(answering, signal)
    try {
      const first = pieces.next()
      await within(first, this.#dependencies.patienceMs)
      yield { type: 'context', data: [...inProgress.context] }
      for (let next = await first; !next.done; next = await pieces.next()) {
        yield { type: 'content', data: next.value }
      }
      yield { type: 'end', data: { usage: usageOf(inProgress, reservation), model: inProgress.model } }
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
    const { inProgress } = answering
    let error: unknown
    try {
      for await (const _ of generate(prepared.generation, inProgress, signal));
    } catch (thrown) {
      error = thrown
    } finally {
      answering.leave()
    }
    return {
      trace: traceOf(answering, error),
      charge: chargeOf(answering, error),
      close: () => answering.reservation.close(),
    }
  }

  /** Ends the answers that are still being made. */
  stop(): void {
    this.#stopping.abort(new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 }))
  }

  /** Resolves when what answers had to write is written. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#recording)
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
    const inProgress = beginAnswer(prepared.generation)
    const { projectId } = prepared.payer
    const tenant: Tenant = user === undefined ? [projectId] : [projectId, user]
    const isByModel = prepared.generation.models.length > 0
    const leave = isByModel ? await this.#dependencies.modelAnswers.enter(tenant, signal) : () => {}
    try {
      return { prepared, inProgress, reservation: await this.#reserve(prepared, inProgress), leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  #reserve({ payer, generation }: PreparedAnswer, { prompt }: AnswerInProgress): Promise<Reservation> {
    const { models, request } = generation
    return this.#dependencies.meter.open(payer, 'answer', {
      models: models.map(({ name }) => name),
      promptTokens: estimateTokens(prompt),
      completionTokens: request.maxTokens ?? 0,
    })
  }

  /** The pieces of the answer; however it ends, a trace tells of it, on disk before the generator is done. */
  async *#run(answering: Answering, caller: AbortSignal | undefined): AsyncGenerator<string> {
    const { prepared, inProgress } = answering
    const signal = AbortSignal.any([this.#stopping.signal, ...(caller ? [caller] : [])])
    let error: unknown = new CairnError('invalid_request', 'the answer was not read to its end')
    try {
      yield* generate(prepared.generation, inProgress, signal)
      error = undefined
    } catch (thrown) {
      error = thrown
      throw thrown
    } finally {
      answering.leave()
      const recording = this.#record(answering, error).finally(() => answering.reservation.close())
      const settling = recording.catch(() => {}).finally(() => this.#recording.delete(settling))
      this.#recording.add(settling)
      // An answer that has failed fails for its own reason.
      await (error === undefined ? recording : settling)
    }
  }

  async #record(answering: Answering, error: unknown): Promise<void> {
    const { prepared, inProgress } = answering
    const { chatId, payer, request, scopeFilters, sessionKey } = prepared
    await this.#dependencies.traces.record(
      payer.projectId,
      traceOf(answering, error),
      chargeOf(answering, error),
    )
    if (error !== undefined || sessionKey === undefined) return
    await this.#dependencies.turns.add(chatId, sessionKey, {
      question: request.question,
      answer: inProgress.answer,
      scopeFilters: scopeFilters ?? {},
    })
  }
}

function usageOf(inProgress: AnswerInProgress, reservation: Reservation): Usage {
  const tokens = tokensOf(inProgress)
  return { ...tokens, credits: reservation.creditsOf(inProgress.model, tokens.total_tokens) }
}

function traceOf({ prepared, inProgress, reservation }: Answering, error: unknown): CreateTrace {
  const { chatId, payer, request, generation, own, startedMs, retrievedMs } = prepared
  const { question, session_id: sessionId } = request
  const { context } = generation
  const { credits } = usageOf(inProgress, reservation)
  const answered = {
    chatId,
    question,
    sessionId,
    context,
    startedMs,
    retrievedMs,
    inProgress,
    credits,
    error,
  }
  return own ? toPrivateTrace(answered, payer.appId) : toTrace(answered)
}

function chargeOf({ inProgress, reservation }: Answering, error: unknown): Omit<Charge, 'cost'> {
  return reservation.charge(
    wasUsed(inProgress, error) ? { model: inProgress.model, ...tokensOf(inProgress) } : undefined,
  )
}
