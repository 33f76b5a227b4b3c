import { CairnError } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../../lib/fair-queue.ts'
import { estimateTokens } from '../../../models/catalogue.ts'
import type { ModelUsage } from '../../../models/chat.ts'
import { ModelError } from '../../../models/model-error.ts'
import { InvalidRanking, maxRankingTokens } from '../../../models/rerank/chat-reranker.ts'
import type { RankedPassage, Ranking, RerankModel } from '../../../models/rerank/rerank-model.ts'
import type { Meter, Reservation } from '../../credits/index.ts'
import type { Pricing } from '../../prices/index.ts'
import type { FoundChunk } from '../../retrieval/index.ts'
import type { Payer } from '../../usage/index.ts'

/**
 * Maximum number of passages that a model ranks. Text Embeddings Inference rejects more than 32 in one request by default.
 */
export const maxCandidates = 32
/** Maximum characters of a passage and of the query that are sent. */
const [maxPassageLength, maxQueryLength] = [4_000, 2_000]

export interface RerankingDependencies {
  queue: FairQueue
  /** Limit of waiting and ranking together. */
  timeoutMs: number
  meter: Pick<Meter, 'open' | 'charge'>
  pricing: (projectId: string) => Promise<Pricing>
  /** Called with errors other than failures of models and used-up budgets. */
  onUnexpected: (error: unknown) => void
}

/** The model that a chat's settings choose; undefined if this server cannot call it. */
export interface ChosenReranker {
  name: string
  model: RerankModel | undefined
}

/** A ranking of passages, or its failure, for the trace. */
export interface RankingReport {
  model: string
  query: string
  startedMs: number
  endedMs: number
  /** The passages that the model received, in the order of the search. */
  candidates: readonly FoundChunk[]
  /** The model's ranking; positions are of `candidates`. Empty after a failure. */
  ranked: readonly RankedPassage[]
  usage: ModelUsage | undefined
  /** USD; undefined if it is unknown. */
  cost: number | undefined
  searchUnits: number | undefined
  /** Why the order of the search was used; undefined after a success. */
  failure: unknown
}

/** The passages of a question, and the question that they are ranked for. */
interface RankingRequest {
  tenant: Tenant
  payer: Payer
  query: string
  candidates: readonly FoundChunk[]
  chosen: ChosenReranker
}

/** Ranks the passages of a search with a model. It never fails: without a ranking, the order of the search is used. */
export class Reranking {
  readonly #dependencies: RerankingDependencies

  constructor(dependencies: RerankingDependencies) {
    this.#dependencies = dependencies
  }

  /** All candidates, best first, with a report for the trace. The report is undefined if there is nothing to rank. */
  async rank(
    request: RankingRequest,
  ): Promise<{ chunks: readonly FoundChunk[]; report: RankingReport | undefined }> {
    const { chosen, query } = request
    const candidates = request.candidates.slice(0, maxCandidates)
    if (candidates.length < 2) return { chunks: request.candidates, report: undefined }
    const started = { model: chosen.model?.name ?? chosen.name, query, candidates, startedMs: Date.now() }
    const spent: Spent = { usage: undefined, cost: undefined }
    let ranking: Ranking | undefined
    let failure: unknown
    try {
      ranking = await this.#rankInTurn(request, candidates, spent)
    } catch (error) {
      failure = error
      if (!(error instanceof CairnError)) this.#dependencies.onUnexpected(error)
    }
    const ranked = ranking?.ranked ?? []
    const report = {
      ...started,
      ...spent,
      endedMs: Date.now(),
      ranked,
      searchUnits: ranking?.searchUnits,
      failure,
    }
    return { chunks: inOrderOf(ranked, request.candidates), report }
  }

  async #rankInTurn(
    { chosen: { name, model }, tenant, payer, query }: RankingRequest,
    candidates: readonly FoundChunk[],
    spent: Spent,
  ): Promise<Ranking> {
    if (!model) {
      throw new ModelError(name, 'refused', { detail: 'no model of this name is configured' })
    }
    const { queue, timeoutMs } = this.#dependencies
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new ModelError(model.name, 'timeout')), timeoutMs)
    const sent = {
      query: query.slice(0, maxQueryLength).toWellFormed(),
      passages: candidates.map(({ chunk_text }) => chunk_text.slice(0, maxPassageLength).toWellFormed()),
    }
    const run = () => this.#rankAndCharge(model, payer, sent, spent, timeout.signal)
    return queue.run(tenant, run, timeout.signal).finally(() => clearTimeout(timer))
  }

  /** Sets `spent`, also for a ranking that cannot be used, because the provider charges it, too. */
  async #rankAndCharge(
    model: RerankModel,
    payer: Payer,
    { query, passages }: { query: string; passages: readonly string[] },
    spent: Spent,
    signal: AbortSignal,
  ): Promise<Ranking> {
    if (model.isLocal) return model.rerank(query, passages, signal)
    const promptTokens = estimateTokens(passages.join('\n')) + passages.length * estimateTokens(query)
    const reservation = await this.#dependencies.meter.open(payer, 'rerank', {
      models: [model.name],
      promptTokens,
      completionTokens: maxRankingTokens,
    })
    try {
      const ranking = await model.rerank(query, passages, signal)
      spent.usage = ranking.usage ?? {
        prompt_tokens: promptTokens,
        completion_tokens: 0,
        total_tokens: promptTokens,
      }
      return ranking
    } catch (error) {
      if (error instanceof InvalidRanking) spent.usage = error.usage
      throw error
    } finally {
      await this.#charge(model, payer, reservation, spent)
    }
  }

  async #charge({ name }: RerankModel, payer: Payer, reservation: Reservation, spent: Spent): Promise<void> {
    const { usage } = spent
    const { pricing, meter } = this.#dependencies
    try {
      const cost = usage && (await pricing(payer.projectId))(name, { ...usage }, Date.now())
      spent.cost = cost ?? undefined
      const used = usage && { model: name, ...usage }
      await meter.charge({ ...reservation.charge(used), cost: cost ?? null })
    } finally {
      reservation.close()
    }
  }
}

interface Spent {
  usage: ModelUsage | undefined
  cost: number | undefined
}

/**
 * The chunks of a ranking first, then the others in their order. The scores stay in their places: scores of models have
 * other scales, and scores of a search are compared with each other, as between the chats of an end user.
 */
function inOrderOf(ranked: readonly RankedPassage[], candidates: readonly FoundChunk[]): FoundChunk[] {
  const named = new Set(ranked.map(({ index }) => index))
  const order = [...named, ...candidates.keys().filter((index) => !named.has(index))]
  return order.flatMap((index, place) => {
    const [chunk, score] = [candidates[index], candidates[place]?.score]
    return chunk && score !== undefined ? [{ ...chunk, score }] : []
  })
}
