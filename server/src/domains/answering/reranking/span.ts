import type { SpanInput } from '@cairn/contract'
import type { RankingReport } from './reranking.ts'

/** The times, tokens and costs of a ranking. They tell nothing about questions and documents. */
export function privateRankingSpan({ model, startedMs, endedMs, usage, cost }: RankingReport): SpanInput {
  return {
    name: 'rerank',
    kind: 'retrieval',
    start_ms: startedMs,
    end_ms: endedMs,
    model,
    ...(usage && { token_usage: { ...usage } }),
    ...(cost !== undefined && { cost }),
  }
}

/** The ranking of a search's passages. `places` are of the order of the search, from 0. */
export function rankingSpan(report: RankingReport, describe: (error: unknown) => string): SpanInput {
  const { query, candidates, ranked, searchUnits, failure } = report
  const idOf = (index: number) => candidates[index]?.chunk_id
  const after = ranked.map(({ index, score }) => ({
    chunk_id: idOf(index),
    place_before: index,
    ...(score !== null && { score }),
  }))
  return {
    ...privateRankingSpan(report),
    input: query,
    ...(failure === undefined ? { output: after } : { status: 'error', error: describe(failure) }),
    attributes: {
      candidates: candidates.length,
      before: candidates.map(({ chunk_id, score }) => ({ chunk_id, score })),
      ...(searchUnits !== undefined && { search_units: searchUnits }),
      ...(failure !== undefined && { fallback: 'order of the search' }),
    },
  }
}
