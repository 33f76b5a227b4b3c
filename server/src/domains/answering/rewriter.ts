import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { estimateTokens } from '../../models/catalogue.ts'
import type { ChatModel, ChatRequest, ModelUsage } from '../../models/chat.ts'
import type { Meter } from '../credits/index.ts'
import type { Pricing } from '../prices/index.ts'
import type { Payer } from '../usage/index.ts'
import { callForRewrite, maxRewriteTokens, rewriteRequest, rewrittenIn } from './generation/index.ts'
import { leansOnConversation } from './question/index.ts'
import type { Turn } from './store.ts'

export interface RewriterDependencies {
  meter: Pick<Meter, 'open' | 'charge'>
  pricing: (projectId: string) => Promise<Pricing>
  /** Limits the number of running calls to models. */
  modelAnswers: FairQueue
}

/** A call that rewrote a question, or failed to. */
export interface Rewrite {
  model: string
  request: ChatRequest
  text: string
  /** The question to search for; undefined if the call gave none. */
  question: string | undefined
  /** Undefined if the call failed. */
  usage: ModelUsage | undefined
  credits: number
  /** USD, which is charged already; null if the model has no price. */
  cost: number | null
  error: unknown
  startMs: number
  endMs: number
}

export interface AskedInConversation {
  payer: Payer
  tenant: Tenant
  model: ChatModel | undefined
  question: string
  history: readonly Turn[]
}

/** The answer waits for the rewritten question, so a slow model is given up. */
const patienceMs = 10_000

/** Lets the chat's model rewrite questions that depend on the conversation, and charges for the calls. */
export class QuestionRewriter {
  readonly #dependencies: RewriterDependencies

  constructor(dependencies: RewriterDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Undefined if there is no model, or the question does not depend on the conversation. A failure is in the result,
   * because the question can be searched for without the rewriting.
   */
  async rewrite(
    { payer, tenant, model, question, history }: AskedInConversation,
    signal?: AbortSignal,
  ): Promise<Rewrite | undefined> {
    if (!model || history.length === 0 || !leansOnConversation(question)) return undefined
    const request = rewriteRequest(question, history)
    const startMs = Date.now()
    const none = {
      model: model.name,
      request,
      text: '',
      question: undefined,
      usage: undefined,
      credits: 0,
      cost: null,
    }
    try {
      const called = await this.#call(payer, tenant, model, request, signal)
      const rewritten = rewrittenIn(called.text, question, history)
      return { ...none, ...called, question: rewritten, error: undefined, startMs, endMs: Date.now() }
    } catch (error) {
      signal?.throwIfAborted()
      return { ...none, error, startMs, endMs: Date.now() }
    }
  }

  async #call(
    payer: Payer,
    tenant: Tenant,
    model: ChatModel,
    request: ChatRequest,
    caller: AbortSignal | undefined,
  ): Promise<Pick<Rewrite, 'text' | 'usage' | 'credits' | 'cost'>> {
    const { meter, pricing, modelAnswers } = this.#dependencies
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(caller ? [caller] : [])])
    const reservation = await meter.open(payer, 'rewrite', {
      models: [model.name],
      promptTokens: estimateTokens(request.system + request.messages.map(({ content }) => content).join('')),
      completionTokens: maxRewriteTokens,
    })
    let used: ModelUsage | undefined
    let cost: number | null = null
    try {
      const { text, usage } = await modelAnswers.run(
        tenant,
        () => callForRewrite(model, request, signal),
        signal,
      )
      used = usage
      cost = (await pricing(payer.projectId))(model.name, { ...usage }, Date.now())
      return { text, usage, credits: reservation.creditsOf(model.name, usage.total_tokens), cost }
    } finally {
      const charge = { ...reservation.charge(used && { model: model.name, ...used }), cost }
      await meter.charge(charge).finally(() => reservation.close())
    }
  }
}
