import { readFileSync } from 'node:fs'
import { correctness } from './correctness.ts'

/** An answer with a person's verdict. */
interface Labelled {
  input: string
  expected: string
  output: string
  right: boolean
  kind: string
  half: string
}

/** The answers of the fixture: half were written for tuning, half are held out. */
export function labelledAnswers(): Labelled[] {
  const file = new URL('labelled.fixture.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Labelled[]
}

/** Minimum score of a right answer. */
const passing = 0.7

/**
 * The quality of `correctness` on labelled answers. `auc`: share of pairs of a right and a wrong answer in which the
 * right one has the higher score; a tie counts half. `accuracy`: share of answers on the correct side of 0.7.
 */
export function measureCorrectness(labelled: readonly Labelled[]) {
  const scored = labelled.map((one) => {
    const { input, expected, output } = one
    return { ...one, ...correctness.score({ input, output, expected_output: expected }) }
  })
  const right = scored.filter((one) => one.right)
  const wrong = scored.filter((one) => !one.right)
  const wins = right.flatMap((a) => wrong.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)))
  const misses = scored.filter((one) => one.score >= passing !== one.right)
  return {
    auc: wins.reduce<number>((sum, win) => sum + win, 0) / wins.length,
    accuracy: 1 - misses.length / scored.length,
    misses,
  }
}
