import { detectLanguage } from '../../../lib/text.ts'
import { findUndecided } from './alternatives.ts'
import { type Parsed, parse, stemsOf } from './clauses.ts'
import { asserted } from './contrast.ts'
import { coverageOf } from './coverage.ts'
import { findMoreItems } from './items.ts'
import { baseStem } from './lexicon.ts'
import { clamp, type LocalScorer, quote, type ScoredTexts, type ScoreResult } from './local-scorer.ts'
import { findReordered, isSequence } from './order.ts'
import {
  ClauseIndex,
  findContradiction,
  findDenied,
  findReplaced,
  findSwapped,
  relation,
} from './polarity.ts'
import { findOtherAmount, findOtherFrequency } from './quantifiers.ts'
import { isSameQuantity, type Quantity, quantitiesIn } from './quantities.ts'
import { expectsRefusal, findRefusal } from './refusal.ts'
import { arePlacesSwapped, compareRoles, rolesOf } from './roles.ts'
import { findSecondAnswer } from './second-answer.ts'

/**
 * Whether an output states the expected answer. Facts are compared first, and each can fail the output by itself:
 * refusals, yes and no, negation, figures, and alternatives of one kind. The rest of the score is the share of the
 * expected answer, beyond the words of the question, that the output contains, in any order and form.
 */
export const correctness: LocalScorer = {
  description: 'whether the output states the expected answer',
  needs: ['expected_output'],
  parses: true,
  score(texts) {
    const { score, reasoning } = scoreWithFeatures(texts)
    return { score, reasoning }
  },
}

/** The features are those of `coverage.ts`; undefined if a single fault or an equal text decided. */
export function scoreWithFeatures({
  input = '',
  output,
  expected_output: expected = '',
}: ScoredTexts): ScoreResult & { features?: readonly number[] } {
  if (isSameText(expected, output)) return { score: 1, reasoning: 'the output is the expected answer' }
  const refusal = findRefusal(output)
  if (expectsRefusal(expected)) {
    const isRefused = refusal !== undefined || expectsRefusal(output)
    return {
      score: isRefused ? 0.9 : 0.1,
      reasoning: `expected no answer, the output ${isRefused ? 'gives none' : 'gives one'}`,
    }
  }
  if (refusal && !findRefusal(expected)) {
    return { score: 0.05, reasoning: `the output gives no answer: ${quote(refusal)}` }
  }
  const { text, rejected } = asserted(expected)
  return scoreFacts(input, text, asserted(output).text, rejected)
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

function scoreFacts(
  input: string,
  expected: string,
  output: string,
  rejected: readonly string[],
): ScoreResult & { features?: readonly number[] } {
  // Short texts alone do not show their language.
  const language = detectLanguage(`${input}\n${expected}\n${output}`)
  const question = parse(input, undefined, language)
  const asked = new Set(question.words.map(({ concept }) => concept))
  const wanted = parse(expected, stemsOf(output, input), language)
  const stated = parse(output, stemsOf(expected, input), language)
  const verdict = scoreVerdict(question, wanted, stated)
  if (verdict) return verdict
  const [wantedRoles, statedRoles] = [rolesOf(expected), rolesOf(output)]
  const { swapped: role, converses } = compareRoles(wantedRoles, statedRoles)
  if (role) {
    const { wanted: yes, stated: no } = role
    return { score: 0.1, reasoning: `expected ${quote(yes.shown)}, the output has ${quote(no.shown)}` }
  }
  if (arePlacesSwapped(wantedRoles, statedRoles)) {
    return { score: 0.1, reasoning: 'the output exchanges where something comes from and where it goes' }
  }
  const steps = withQuestion(input, expected)
  if (steps !== expected || isSequence(input, steps)) {
    const reordered = findReordered(input, steps, output)
    if (reordered) {
      const [earlier, later] = reordered
      return {
        score: 0.15,
        reasoning: `expected ${quote(earlier)} before ${quote(later)}, the output has them in the other order`,
      }
    }
  }
  const index = new ClauseIndex(stated.clauses)
  const overlaps =
    wanted.words.length === 0 || wanted.clauses.some((clause) => index.bestMatch(clause) !== undefined)
  const amount =
    (overlaps ? findOtherAmount(expected, output, sharesOpposite(wanted, stated)) : undefined) ??
    findOtherFrequency(expected, output)
  if (amount) {
    return { score: 0.15, reasoning: `expected ${quote(amount[0])}, the output says ${quote(amount[1])}` }
  }
  const shared = new Set(wanted.words.map(({ concept }) => concept)).intersection(
    new Set(stated.words.map(({ concept }) => concept)),
  )
  const known = asked.union(shared)
  const contradiction = findContradiction(wanted, stated, converses, known)
  if (contradiction) {
    const { wanted: yes, stated: no } = contradiction
    return { score: 0.1, reasoning: `expected ${quote(yes)}, the output says the opposite: ${quote(no)}` }
  }
  const figures = scoreFigures(input, expected, output)
  if (figures?.isWrong) return figures
  if (wanted.words.length === 0 && !figures) {
    const symbols = scoreSymbols(expected, output)
    if (symbols) return symbols
  }
  const denied = findDenied(wanted, stated, asked)
  if (denied) {
    return { score: 0.3, reasoning: `the output also says the opposite: ${quote(denied.stated)}` }
  }
  const second = findSecondAnswer([input, ...rejected].join(' '), expected, output)
  if (second) return { score: 0.4, reasoning: `the output contradicts itself: ${quote(second)}` }
  const more = findMoreItems(input, expected, output)
  if (more) return { score: 0.4, reasoning: `the output adds ${quote(more)} to the expected list` }
  const stems = stemsOf(expected, input)
  const undecided = findUndecided(expected, output, (words) =>
    parse(words).words.every(({ concept, text }) => stems.has(concept) || stems.has(baseStem(text))),
  )
  if (undecided) return { score: 0.3, reasoning: `the output does not decide: ${quote(undecided)}` }
  const coverage = coverageOf({ question, wanted, stated, expected, figureWords: figures?.words })
  const replaced = findReplaced(coverage.missing, coverage.extra)
  if (replaced)
    return { score: 0.15, reasoning: `expected ${quote(replaced[0])}, the output has ${quote(replaced[1])}` }
  const swapped = findSwapped(expected, output, input)
  if (swapped && coverage.missing.some(({ concept }) => !asked.has(concept)) && coverage.extra.length > 0) {
    const [yes, no] = swapped
    return {
      score: clamp(Math.min(coverage.score, 0.5)),
      reasoning: `expected ${quote(yes)}, the output has ${quote(no)} in its place`,
    }
  }
  const reasoning = [figures?.reasoning, coverage.reasoning].filter(Boolean).join('; ')
  return { score: clamp(coverage.score), reasoning, features: coverage.features }
}

/** The expected answer with the other step that only the question names, in the order of time. */
function withQuestion(question: string, expected: string): string {
  const asked = question.replace(/\?/g, '')
  if (/^\W*(?:only )?(?:before|after)\b/i.test(expected))
    return `${asked.replace(/^\W*when\b/i, '')} ${expected}`
  const [, word = '', other] = /^\W*(?:what|who|which)\b.*\b(before|after)\s+(.+)$/i.exec(asked) ?? []
  if (other === undefined) return expected
  return /before/i.test(word) ? `${expected}, ${other}` : `${other}, ${expected}`
}

/** "Neither door is locked" and "both doors are unlocked" agree. */
function sharesOpposite(wanted: Parsed, stated: Parsed): boolean {
  return wanted.words.some(({ concept, sign }) =>
    stated.words.some((word) => word.concept === concept && word.sign !== sign),
  )
}

/** Single letters and symbols are no words: the output must contain them as they are. */
function scoreSymbols(expected: string, output: string): ScoreResult | undefined {
  const symbols: readonly string[] = expected.match(/[\p{L}\p{N}]+/gu) ?? []
  if (symbols.length === 0 || symbols.some((symbol) => symbol.length > 2)) return undefined
  const known: readonly string[] = output.match(/[\p{L}\p{N}]+/gu) ?? []
  const isFound =
    symbols.every((symbol) => known.some((one) => one === symbol)) ||
    output.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase() === symbols.join('').toLowerCase()
  return {
    score: isFound ? 0.9 : 0.1,
    reasoning: `${quote(expected)} is ${isFound ? '' : 'not '}in the output`,
  }
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

/** The result 3-1 as "three goals to one". */
function isResult(wanted: Quantity, stated: readonly Quantity[]): boolean {
  const parts = wanted.type === 'code' ? /^(\d+)-(\d+)$/.exec(wanted.code) : null
  if (!parts || stated.some(({ type }) => type === 'code')) return false
  return parts
    .slice(1)
    .every((part) => stated.some((one) => one.type === 'number' && one.value === Number(part)))
}

/** Figures of the expected answer that are not in the question. The output must contain each of them. */
function scoreFigures(input: string, expected: string, output: string) {
  const asked = quantitiesIn(input)
  const wanted = quantitiesIn(expected).filter((one) => !asked.some((other) => isSameQuantity(one, other)))
  const stated = quantitiesIn(output)
  if (wanted.length === 0) return undefined
  const words = new Set(wanted.flatMap(({ shown }) => shown.match(/\p{L}+/gu) ?? []))
  const missing = wanted.filter(
    (one) => !stated.some((other) => isSameQuantity(one, other)) && !isResult(one, stated),
  )
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
