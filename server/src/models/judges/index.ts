import { correctness } from './correctness.ts'
import { conciseness, faithfulness, helpfulness, relevance } from './graded.ts'
import type { LocalJudge } from './judge.ts'
import { semanticSimilarity } from './similarity.ts'
import { contains, exactMatch, jsonValid, levenshtein, rougeL } from './texts.ts'
import { toxicity } from './toxicity.ts'

export type { Judged, Judgement, LocalJudge } from './judge.ts'
export { requireFields } from './judge.ts'

/** Judges by slug; the first six are graded by a model where there is one. */
export const localJudges: ReadonlyMap<string, LocalJudge> = new Map(
  Object.entries({
    correctness,
    faithfulness,
    helpfulness,
    relevance,
    conciseness,
    toxicity,
    'exact-match': exactMatch,
    contains,
    levenshtein,
    'rouge-l': rougeL,
    'semantic-similarity': semanticSimilarity,
    'json-valid': jsonValid,
  }),
)
