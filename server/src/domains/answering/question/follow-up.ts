import { tokenize } from '../../../lib/text.ts'
import type { Turn } from '../store.ts'

/** Words that stand for something said before. */
const backward =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|one|ones|there|then|former|latter|same|above|else|instead|more|again)\b/i
const opening = /^\s*(?:and|but|so|or|also|what about|how about|why|how so|really)\b/i
/** A question of no more terms than this seldom says what it is about. */
const fewTerms = 2
const longestShort = 1_000
/** Questions that are looked back over. */
const mostSteps = 3

/** Whether a question looks as if it cannot be understood without the one before. */
function leansBack(question: string): boolean {
  return backward.test(question) || opening.test(question) || isShort(question)
}

/** Only a short question is read: one of more characters has more terms. */
function isShort(question: string): boolean {
  return question.length <= longestShort && tokenize(question).length <= fewTerms
}

/**
 * The words to search for: the question, and as long as that leans on what was said before ("And how much is it?"),
 * the questions before it.
 */
export function searchWords(question: string, history: readonly Turn[]): string {
  const words = [question]
  for (const turn of history.slice(-mostSteps).reverse()) {
    if (!leansBack(words[0] ?? '')) break
    words.unshift(turn.question)
  }
  return words.join('\n')
}
