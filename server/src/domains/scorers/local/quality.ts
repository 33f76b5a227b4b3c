import { splitSentences } from '../../../lib/text.ts'
import { type Parsed, parse, stemsOf } from './clauses.ts'
import { clamp, type LocalScorer, quote } from './local-scorer.ts'
import { findContradiction } from './polarity.ts'
import { isSameQuantity, quantitiesIn } from './quantities.ts'
import { findRefusal } from './refusal.ts'
import { compareRoles, rolesOf } from './roles.ts'

/** Share of the words of `a` that are also in `b`; 1 if `a` has no words. */
function shareOf(a: Parsed, b: Parsed): number {
  const concepts = new Set(a.words.map(({ concept }) => concept))
  if (concepts.size === 0) return 1
  return concepts.intersection(new Set(b.words.map(({ concept }) => concept))).size / concepts.size
}

function sentencesOf(text: string): string[] {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end).trim())
  return sentences.filter((sentence) => sentence !== '')
}

/** A sentence counts as supported from this share of its words. */
const supported = 0.6

export const faithfulness: LocalScorer = {
  description: 'whether the input, including its context, supports each sentence of the output',
  needs: ['input'],
  parses: true,
  score({ input = '', output }) {
    const sentences = sentencesOf(output)
    if (sentences.length === 0) return { score: 0, reasoning: 'the output is empty' }
    const figures = quantitiesIn(input)
    const source = parse(input, stemsOf(output))
    const stems = stemsOf(input)
    const roles = rolesOf(input)
    const isBorneOut = (sentence: string) => {
      const said = parse(sentence, stems)
      const isKnown = quantitiesIn(sentence).every((one) =>
        figures.some((other) => isSameQuantity(one, other)),
      )
      if (!isKnown || shareOf(said, source) < supported) return false
      const { swapped, converses } = compareRoles(rolesOf(sentence), roles)
      return !swapped && !findContradiction(said, source, converses)
    }
    const lost = sentences.filter((sentence) => !isBorneOut(sentence))
    const first = lost[0] === undefined ? '' : `; not: ${quote(lost[0])}`
    const good = sentences.length - lost.length
    return {
      score: clamp(good / sentences.length),
      reasoning: `the input supports ${good} of ${sentences.length} sentences${first}`,
    }
  },
}

export const relevance: LocalScorer = {
  description: 'whether the output is about the topic of the input',
  needs: ['input'],
  score({ input = '', output }) {
    const refusal = findRefusal(output)
    if (refusal) return { score: 0.1, reasoning: `the output gives no answer: ${quote(refusal)}` }
    const share = shareOf(parse(input, stemsOf(output)), parse(output, stemsOf(input)))
    // A short answer need not repeat the question.
    const isShort = output.trim() !== '' && output.trim().split(/\s+/).length <= 5
    return {
      score: clamp(Math.max(isShort ? 0.5 : 0, Math.min(1, share * 1.5))),
      reasoning: `${Math.round(share * 100)} % of the words of the input are in the output${isShort ? ', which is short' : ''}`,
    }
  },
}

const enoughWords = 12

export const helpfulness: LocalScorer = {
  description: 'whether the output answers, is about the topic of the input, and is long enough',
  needs: ['input'],
  score(texts) {
    const refusal = findRefusal(texts.output)
    if (refusal) return { score: 0.1, reasoning: `the output gives no answer: ${quote(refusal)}` }
    const words = texts.output.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
    if (words === 0) return { score: 0, reasoning: 'the output is empty' }
    const fit = relevance.score(texts)
    return {
      score: clamp(0.7 * fit.score + 0.3 * Math.min(1, words / enoughWords)),
      reasoning: `${fit.reasoning}; ${words} words long`,
    }
  },
}

const filler =
  /\b(?:as an ai\b[^,.]*|great question|i hope this helps|feel free to|let me know if|in order to|it is important to note that|it should be noted that|needless to say|as (?:i|we) (?:said|mentioned)|basically|at the end of the day|in conclusion|certainly!|of course!|i'd be happy to)/gi
/** Allowed number of words without an expected answer, and allowed length relative to the expected answer. */
const fewWords = 60
const asLong = 1.5

export const conciseness: LocalScorer = {
  description: 'whether the output is short for its content: length, repetitions and filler',
  needs: [],
  score({ output, expected_output: expected }) {
    const count = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
    const words = count(output)
    if (words === 0) return { score: 0, reasoning: 'the output is empty' }
    const allowed = expected === undefined ? fewWords : Math.max(10, asLong * count(expected))
    const sentences = sentencesOf(output).map((sentence) => sentence.toLowerCase())
    const repeated = sentences.length - new Set(sentences).size
    const empty = output.match(filler)?.length ?? 0
    const length = words <= allowed ? 1 : Math.sqrt(allowed / words)
    return {
      score: clamp(length - 0.15 * empty - (0.5 * repeated) / sentences.length),
      reasoning: `${words} words, ${Math.round(allowed)} allowed; ${repeated} repeated sentences, ${empty} filler phrases`,
    }
  },
}
