type TextField = 'input' | 'output' | 'expected_output'

/** The texts to score; `output` is always present. */
export interface ScoredTexts {
  input: string | undefined
  output: string
  expected_output: string | undefined
}

/** A score from 0 to 1, higher is better, with an explanation. */
export interface ScoreResult {
  score: number
  reasoning: string
}

/** A scorer that needs no model. */
export interface LocalScorer {
  description: string
  /** Required fields besides `output`. */
  needs: readonly Exclude<TextField, 'output'>[]
  /** The scorer loads a model of the language. It runs in a child process only. */
  parses?: true
  score(texts: ScoredTexts): ScoreResult
}

const shownLength = 60

/** An excerpt in quotation marks, for a reasoning. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `"${line.length > shownLength ? `${line.slice(0, shownLength).trimEnd()}…` : line}"`
}

export function clamp(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000
}
