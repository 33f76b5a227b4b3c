import { CairnError } from '@cairn/contract'
import { correctness } from './correctness.ts'
import type { LocalScorer, ScoredTexts, ScoreResult } from './local-scorer.ts'
import { conciseness, faithfulness, helpfulness, relevance } from './quality.ts'
import { semanticSimilarity } from './similarity.ts'
import { contains, exactMatch, jsonValid, levenshtein, rougeL } from './texts.ts'
import { toxicity } from './toxicity.ts'

/** Local scorers by slug. If a model provider is configured, a model replaces the first six. */
export const localScorers: ReadonlyMap<string, LocalScorer> = new Map(
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

/** Scorers for which a model is used if a provider is configured. */
export const modelSlugs: ReadonlySet<string> = new Set([...localScorers.keys()].slice(0, 6))

/** Characters of each text that are compared, because the time of some scorers grows with the product of the lengths. */
const longest = 20_000
const wholeTexts: ReadonlySet<string> = new Set(['exact-match', 'contains', 'json-valid'])

/** Longer runs of punctuation and white space are cut: they mean nothing, and patterns take quadratic time for them. */
const longestRun = 32
const longRuns = new RegExp(`([^\\p{L}\\p{N}]{${longestRun}})[^\\p{L}\\p{N}]+`, 'gu')
/** The part of the texts that a scorer compares, and one character more if a text is longer. */
export function withoutUncompared(
  slug: string,
  { input, output, expected_output }: ScoredTexts,
): ScoredTexts {
  if (wholeTexts.has(slug)) return { input, output, expected_output }
  const part = (text: string) => text.slice(0, longest + 1)
  return {
    input: input && part(input),
    output: part(output),
    expected_output: expected_output && part(expected_output),
  }
}

/**
 * A score without a model, by the slug of a built-in scorer. Long texts take up to two seconds, so do not call it on the
 * event loop.
 */
export function scoreLocally(slug: string, texts: ScoredTexts): ScoreResult {
  const local = localScorers.get(slug)
  if (!local) throw new CairnError('not_found', `there is no scorer ${slug}`)
  if (wholeTexts.has(slug)) return local.score(texts)
  const all = [texts.input, texts.output, texts.expected_output]
  const isLong = all.some((text) => (text?.length ?? 0) > longest)
  const [input, output = '', expected_output] = all.map((text) => text?.slice(0, longest))
  const compared = { input, output, expected_output }
  const { score, reasoning } = local.score(slug === 'levenshtein' ? compared : withShortRuns(compared))
  return { score, reasoning: isLong ? `of the first ${longest} characters: ${reasoning}` : reasoning }
}

function withShortRuns({ input, output, expected_output }: ScoredTexts): ScoredTexts {
  const shortened = (text: string) => text.replace(longRuns, '$1')
  return {
    input: input && shortened(input),
    output: shortened(output),
    expected_output: expected_output && shortened(expected_output),
  }
}
