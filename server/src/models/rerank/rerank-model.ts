import type { ModelUsage } from '../chat.ts'

/** A passage of a ranking: its position in the request, and the model's score, null if the model gives only an order. */
export interface RankedPassage {
  index: number
  score: number | null
}

export interface Ranking {
  /** Best first. Each passage occurs at most once; passages that the model leaves out keep their order behind the others. */
  ranked: readonly RankedPassage[]
  /** Undefined if the provider reports no tokens. */
  usage: ModelUsage | undefined
  /** The provider's unit of billing, if it is not tokens. */
  searchUnits?: number
}

/** Ranks passages by how well they answer a query. */
export interface RerankModel {
  /** The name in settings, traces, usage and prices. */
  readonly name: string
  /** Whether calls cost nothing, because the model runs on this machine. */
  readonly isLocal: boolean
  /** Throws ModelError, or the signal's reason. Invalid rankings of a provider are ModelErrors. */
  rerank(query: string, passages: readonly string[], signal: AbortSignal): Promise<Ranking>
}
