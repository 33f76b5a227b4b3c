import { type Parsed, parse, stemsOf } from './clauses.ts'
import { coverageOf } from './coverage.ts'
import { clamp, type LocalScorer, quote, type ScoredTexts, type ScoreResult } from './local-scorer.ts'
import { ClauseIndex, findContradiction, findReplaced, findSwapped, relation } from './polarity.ts'
import { isSameQuantity, quantitiesIn } from './quantities.ts'
import { findRefusal } from './refusal.ts'

/**
 * Whether an output states the expected answer. Facts are compared first, and each can fail the output by itself:
 * refusals, yes and no, negation, figures, and alternatives of one kind. The rest of the score is the share of the
 * expected answer, beyond the words of the question, that the output contains, in any order and form.
 */
export const correctness: LocalScorer = {
  description: 'whether the output states the expected answer',
  needs: ['expected_output'],
  score: ({ input = '', output, expected_output: expected = '' }: ScoredTexts): ScoreResult => {
    if (isSameText(expected, output)) return { score: 1, reasoning: 'the output is the expected answer' }
    const refusal = findRefusal(output)
    if (refusal && !findRefusal(expected)) {
      return { score: 0.05, reasoning: `the output gives no answer: ${quote(refusal)}` }
    }
    return scoreFacts(input, expected, output)
  },
}

function isSameText(a: string, b: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}%$€£°.,:/+-]+/gu, ' ')
      .replace(/[.,:\s-]+(?=\s|$)/g, '')
      .trim()
  return plain(a) === plain(b)
}

function scoreFacts(input: string, expected: string, output: string): ScoreResult {
  const question = parse(input)
  const wanted = parse(expected, stemsOf(output, input))
  const stated = parse(output, stemsOf(expected, input))
  const verdict = scoreVerdict(question, wanted, stated)
  if (verdict) return verdict
  const contradiction = findContradiction(wanted, stated)
  if (contradiction) {
    const { wanted: yes, stated: no } = contradiction
    return { score: 0.1, reasoning: `expected ${quote(yes)}, the output says the opposite: ${quote(no)}` }
  }
  const figures = scoreFigures(input, expected, output)
  if (figures?.isWrong) return figures
  const coverage = coverageOf({ question, wanted, stated, expected, figureWords: figures?.words })
  const replaced = findReplaced(coverage.missing, coverage.extra)
  if (replaced)
    return { score: 0.15, reasoning: `expected ${quote(replaced[0])}, the output has ${quote(replaced[1])}` }
  const swapped = findSwapped(expected, output)
  if (swapped && coverage.missing.length > 0 && coverage.extra.length > 0) {
    const [yes, no] = swapped
    return {
      score: clamp(Math.min(coverage.score, 0.5)),
      reasoning: `expected ${quote(yes)}, the output has ${quote(no)} in its place`,
    }
  }
  const reasoning = [figures?.reasoning, coverage.reasoning].filter(Boolean).join('; ')
  return { score: clamp(coverage.score), reasoning }
}

/** Compares an expected answer that is only yes or no with the verdict of the output. */
function scoreVerdict(question: Parsed, wanted: Parsed, stated: Parsed): ScoreResult | undefined {
  if (!wanted.verdict || wanted.words.some(({ concept }) => concept !== '=true')) return undefined
  const [asked] = question.clauses
  const answer = asked && (new ClauseIndex(stated.clauses).bestMatch(asked) ?? stated.clauses[0])
  const said = stated.verdict ?? (asked && answer ? relation(asked, answer) : undefined)
  if (said === undefined) return { score: 0.2, reasoning: 'expected yes or no, the output says neither' }
  const name = (sign: number) => (sign > 0 ? 'yes' : 'no')
  return {
    score: said === wanted.verdict ? 0.95 : 0.05,
    reasoning: `expected ${name(wanted.verdict)}, the output says ${name(said)}`,
  }
}

/** Figures of the expected answer that are not in the question. The output must contain each of them. */
function scoreFigures(input: string, expected: string, output: string) {
  const asked = quantitiesIn(input)
  const wanted = quantitiesIn(expected).filter((one) => !asked.some((other) => isSameQuantity(one, other)))
  const stated = quantitiesIn(output)
  if (wanted.length === 0) return undefined
  const words = new Set(wanted.flatMap(({ shown }) => shown.match(/\p{L}+/gu) ?? []))
  const missing = wanted.filter((one) => !stated.some((other) => isSameQuantity(one, other)))
  const list = (quantities: typeof wanted) => quantities.map(({ shown }) => shown.trim()).join(', ')
  if (missing.length === 0)
    return { isWrong: false, words, score: 1, reasoning: `figures agree (${list(wanted)})` }
  const has = stated.length > 0 ? `has ${list(stated)}` : 'has none'
  return {
    isWrong: true,
    words,
    score: clamp(0.3 * (1 - missing.length / wanted.length)),
    reasoning: `expected ${list(missing)}, the output ${has}`,
  }
}
