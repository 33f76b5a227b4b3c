export { type ChosenReranker, maxCandidates, type RankingReport, Reranking } from './reranking.ts'
export { privateRankingSpan, rankingSpan } from './span.ts'
