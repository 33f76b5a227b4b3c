import { CairnError } from '@cairn/contract'
import { correctness } from './correctness.ts'
import { conciseness, faithfulness, helpfulness, relevance } from './graded.ts'
import type { Judged, Judgement, LocalJudge } from './judge.ts'
import { semanticSimilarity } from './similarity.ts'
import { contains, exactMatch, jsonValid, levenshtein, rougeL } from './texts.ts'
import { toxicity } from './toxicity.ts'

export { expectedOf, type TraceTexts } from './expected.ts'
export type { Judged, Judgement } from './judge.ts'

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

/** Graded by a model where a provider is configured. */
export const gradedSlugs: ReadonlySet<string> = new Set([...localJudges.keys()].slice(0, 6))

/** Characters of each text that are compared: the time of some judges grows with the product of the words. */
const longest = 20_000
const wholeTexts: ReadonlySet<string> = new Set(['exact-match', 'contains', 'json-valid'])

/** A judgement without a model, by the slug of a built-in scorer. */
export function judgeLocally(slug: string, judged: Judged): Judgement {
  const local = localJudges.get(slug)
  if (!local) throw new CairnError('not_found', `there is no scorer ${slug}`)
  if (wholeTexts.has(slug)) return local.judge(judged)
  const texts = [judged.input, judged.output, judged.expected_output]
  if (texts.every((text) => (text?.length ?? 0) <= longest)) return local.judge(judged)
  const [input, output = '', expected_output] = texts.map((text) => text?.slice(0, longest))
  const { score, reasoning } = local.judge({ input, output, expected_output })
  return { score, reasoning: `of the first ${longest} characters: ${reasoning}` }
}
