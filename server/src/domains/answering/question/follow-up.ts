import { tokenize } from '../../../lib/text.ts'
import type { Turn } from '../store.ts'

/** Words that usually refer to an earlier question or answer. */
const referringWord =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|one|ones|there|then|former|latter|same|above|else|instead|more|again)\b/i
/** Beginnings of a question that continues a conversation. */
const followUpOpening = /^\s*(?:and|but|so|or|also|what about|how about|why|how so|really)\b/i
/** A question with at most this number of terms usually depends on the conversation. */
const fewTerms = 2
const maxShortLength = 1_000
/** Maximum number of previous questions in a search. */
const maxPreviousQuestions = 3

/** Whether a question probably depends on the question before it. */
function dependsOnPrevious(question: string): boolean {
  return referringWord.test(question) || followUpOpening.test(question) || isShort(question)
}

/** Whether a question has very few terms. A long text is not tokenized, because it has more terms anyway. */
function isShort(question: string): boolean {
  return question.length <= maxShortLength && tokenize(question).length <= fewTerms
}

/**
 * The text to search for: the question, and the previous questions that it depends on ("And how much is it?"). It
 * goes back to the first independent question.
 */
export function searchText(question: string, history: readonly Turn[]): string {
  const questions = [question]
  for (const turn of history.slice(-maxPreviousQuestions).reverse()) {
    if (!dependsOnPrevious(questions[0] ?? '')) break
    questions.unshift(turn.question)
  }
  return questions.join('\n')
}
