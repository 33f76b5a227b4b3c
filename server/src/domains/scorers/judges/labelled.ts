import { readFileSync } from 'node:fs'
import { correctness } from './correctness.ts'

/** An answer with what a person says of it. */
interface Labelled {
  input: string
  expected: string
  output: string
  right: boolean
  kind: string
  half: string
}

/** The answers of the fixture, half of them written for tuning and half held out from it. */
export function labelledAnswers(): Labelled[] {
  const file = new URL('labelled.fixture.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Labelled[]
}

/** From this score on an answer counts as right. */
const passing = 0.7

/**
 * How `correctness` does on labelled answers: the share of all pairs of a right and a wrong one in which the right one
 * scores higher (a tie is half a pair), and the share on the right side of 0.7.
 */
export function measureCorrectness(labelled: readonly Labelled[]) {
  const scored = labelled.map((one) => {
    const { input, expected, output } = one
    return { ...one, ...correctness.judge({ input, output, expected_output: expected }) }
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
