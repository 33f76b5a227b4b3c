import { distance } from 'fastest-levenshtein'
import { detectLanguage, tokenize } from '../../../lib/text.ts'
import { clamp, type LocalScorer, quote } from './local-scorer.ts'

const needs = ['expected_output'] as const

export const exactMatch: LocalScorer = {
  description: 'whether the output equals the expected output; white space around them is ignored',
  needs,
  score({ output, expected_output: expected = '' }) {
    if (output.trim() === expected.trim())
      return { score: 1, reasoning: `the output is exactly ${quote(expected)}` }
    return { score: 0, reasoning: `expected exactly ${quote(expected)}, the output is ${quote(output)}` }
  },
}

export const contains: LocalScorer = {
  description: 'whether the output contains the expected output, ignoring case',
  needs,
  score({ output, expected_output: expected = '' }) {
    const fold = (text: string) => text.normalize('NFC').toLowerCase()
    const isThere = fold(output).includes(fold(expected.trim()))
    return {
      score: isThere ? 1 : 0,
      reasoning: `the output ${isThere ? 'contains' : 'does not contain'} ${quote(expected)}`,
    }
  },
}

/** Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966. */
export const levenshtein: LocalScorer = {
  description: 'share of characters that need no change: 1 - edits / length of the longer text',
  needs,
  score({ output, expected_output: expected = '' }) {
    const [a, b] = [expected, output].map((text) => text.trim()) as [string, string]
    const longer = Math.max(a.length, b.length)
    const edits = distance(a, b)
    return {
      score: longer === 0 ? 1 : clamp(1 - edits / longer),
      reasoning: `${edits} of ${longer} characters differ from the expected output`,
    }
  },
}

const longestSequence = 2000

/**
 * ROUGE-L: F1 of the longest common subsequence of words. Lin, "ROUGE: A package for automatic evaluation of
 * summaries", 2004.
 */
export const rougeL: LocalScorer = {
  description:
    'common words of output and expected output in the same order: F1 of the longest common subsequence',
  needs,
  score({ output, expected_output: expected = '' }) {
    const language = detectLanguage(expected)
    const [a, b] = [expected, output].map((text) => wordsOf(text, language)) as [string[], string[]]
    if (a.length === 0 || b.length === 0) {
      const score = a.length === b.length ? 1 : 0
      return { score, reasoning: `${a.length} words expected, ${b.length} in the output` }
    }
    const common = longestCommon(a, b)
    return {
      score: clamp((2 * common) / (a.length + b.length)),
      reasoning: `${common} words in common and in order, of ${a.length} expected and ${b.length} in the output`,
    }
  },
}

function wordsOf(text: string, language: ReturnType<typeof detectLanguage>): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  // The stem of a word, or the word itself if the tokenizer drops it as a function word.
  return words.slice(0, longestSequence).flatMap((word) => {
    const terms = tokenize(word, language)
    return terms.length > 0 ? terms : [word]
  })
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Uint16Array(b.length + 1)
  for (const word of a) {
    const next = new Uint16Array(b.length + 1)
    for (let j = 1; j <= b.length; j++) {
      next[j] = word === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0)
    }
    row = next
  }
  return row[b.length] ?? 0
}

export const jsonValid: LocalScorer = {
  description: 'whether the output is JSON as a whole',
  needs: [],
  score({ output }) {
    try {
      const value: unknown = JSON.parse(output)
      const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
      return { score: 1, reasoning: `the output is JSON (${kind})` }
    } catch {
      return { score: 0, reasoning: `the output is not JSON: ${quote(output)}` }
    }
  },
}
