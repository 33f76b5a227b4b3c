import { type AnswerEvent, CairnError, type CreateTrace, type QueryResponse } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { within } from '../../lib/within.ts'
import { estimateTokens } from '../../models/catalogue.ts'
import type { Meter, Reservation } from '../credits/index.ts'
import { answerChatInsert } from '../feedback/index.ts'
import type { NewCharge, TraceRecorder } from '../traces/index.ts'
import { type AnswerInProgress, beginAnswer, generate } from './generation/index.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import { answerIdOf, chargeOf, type RunningAnswer, traceOf, usageOf } from './running-answer.ts'
import type { TurnStore } from './store.ts'

export interface AnsweringDependencies {
  traces: Pick<TraceRecorder, 'record'>
  meter: Pick<Meter, 'open'>
  turns: TurnStore
  /** Time after which a stream sends its context even if the model has not responded. */
  patienceMs: number
  /** Limits the number of running answers by models. */
  modelAnswers: FairQueue
}

/** An answer whose trace and charge the caller stores. */
export interface UnrecordedAnswer {
  trace: CreateTrace
  charge: NewCharge
  /** Closes the reservation. Call it when the charge is stored, or will not be stored. */
  close(): void
}

/** The user id of test runs in the fair queue, so that test runs and questions of a project take turns. */
const testRuns = 'test-runs'

/** Answers prepared questions, and records and charges each answer. */
export class AnsweringService {
  readonly #dependencies: AnsweringDependencies
  /** Running writes of traces and turns. */
  readonly #recording = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(dependencies: AnsweringDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Returns the whole answer. When it resolves, the trace and the charge are durable.
   *
   * @throws CairnError `budget_exceeded`; ModelError
   */
  async answer(prepared: PreparedAnswer, signal?: AbortSignal): Promise<QueryResponse> {
    const answering = await this.#open(prepared, signal)
    const { inProgress } = answering
    for await (const _ of this.#run(answering, signal));
    return {
      answer: inProgress.answer,
      context: [...inProgress.context],
      citations: inProgress.citations,
      chat_id: prepared.chatId,
      model: inProgress.model,
      usage: usageOf(answering),
      ...(prepared.scopeFilters && { scope_filters_applied: prepared.scopeFilters }),
      answer_id: answerIdOf(answering),
    }
  }

  /**
   * The same answer as events: context, content …, end. The context event waits for the first piece (at most
   * `patienceMs`), so that a failure of the model still becomes an HTTP error. An abort ends the call to the model.
   */
  async *stream(prepared: PreparedAnswer, signal?: AbortSignal): AsyncGenerator<AnswerEvent> {
    const answering = await this.#open(prepared, signal)
    const { inProgress } = answering
    const pieces = this.#run(answering, signal)
    try {
      const first = pieces.next()
      await within(first, this.#dependencies.patienceMs)
      yield { type: 'context', data: [...inProgress.context] }
      for (let next = await first; !next.done; next = await pieces.next()) {
        yield { type: 'content', data: next.value }
      }
      const usage = usageOf(answering)
      yield {
        type: 'end',
        data: { usage, model: inProgress.model, answer_id: answerIdOf(answering) },
      }
    } finally {
      await pieces.return(undefined)
    }
  }

  /**
   * Generates an answer without recording it. The caller stores the trace with the charge. If the generation fails,
   * the trace has the status `error`.
   *
   * @throws CairnError `budget_exceeded`
   */
  async answerUnrecorded(prepared: PreparedAnswer, signal: AbortSignal): Promise<UnrecordedAnswer> {
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

  /** Aborts all running answers. */
  stop(): void {
    this.#stopping.abort(new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 }))
  }

  /** Resolves when all traces and turns are written. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#recording)
  }

  /**
   * Waits for a place among the running answers by models, and reserves budgets. The caller must run the answer,
   * which frees both.
   */
  async #open(
    prepared: PreparedAnswer,
    signal: AbortSignal | undefined,
    user = prepared.payer.userId ?? undefined,
  ): Promise<RunningAnswer> {
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

  /** Yields the pieces of the answer. For every outcome, a trace is durable before the generator ends. */
  async *#run(answering: RunningAnswer, caller: AbortSignal | undefined): AsyncGenerator<string> {
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
      // If the answer failed, its error is thrown, and errors of the recording are ignored.
      await (error === undefined ? recording : settling)
    }
  }

  async #record(answering: RunningAnswer, error: unknown): Promise<void> {
    const { prepared, inProgress } = answering
    const { chatId, payer, request, scopeFilters, sessionKey, askedIn } = prepared
    const { projectId } = payer
    const { trace_id } = await this.#dependencies.traces.record(
      projectId,
      traceOf(answering, error),
      chargeOf(answering, error),
      (traceId) => (error === undefined ? [answerChatInsert({ projectId, traceId, chatId: askedIn })] : []),
    )
    answering.answerId = trace_id
    if (error !== undefined || sessionKey === undefined) return
    await this.#dependencies.turns.add(chatId, sessionKey, {
      question: request.question,
      answer: inProgress.answer,
      scopeFilters: scopeFilters ?? {},
    })
  }
}
