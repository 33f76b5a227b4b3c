import { labelledAnswers, scoreWithFeatures } from '@cairn/server/bench/scorers'
import { type AnswerPair, readAnswers } from './support/labelled-pairs.ts'

/**
 * Prints the weights for `server/src/domains/scorers/local/weights.ts`, and the accuracy on each set with weights that
 * were fitted without it: the sets are by different writers.
 */

interface Sample {
  features: readonly number[] | undefined
  score: number
  right: boolean
}

/** A wrong answer that passes is worse than a right answer that fails. */
const wrongWeight = 1.2
const decay = 0.5
const steps = 3_000

const logistic = (weights: readonly number[], features: readonly number[]) =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)))

function fit(samples: readonly Sample[]): number[] {
  const fitted = samples.flatMap(({ features, right }) => (features ? [{ features, right }] : []))
  let weights = new Array<number>(fitted[0]?.features.length ?? 0).fill(0)
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0.02 : decay) * weight)
    for (const { features, right } of fitted) {
      const error = (logistic(weights, features) - (right ? 1 : 0)) * (right ? 1 : wrongWeight)
      for (const [at, value] of features.entries()) gradient[at] = (gradient[at] ?? 0) + error * value
    }
    weights = weights.map((weight, at) => weight - (1.5 / fitted.length) * (gradient[at] ?? 0))
  }
  return weights
}

function toSample({ question, expected, output, right }: AnswerPair): Sample {
  const { score, features } = scoreWithFeatures({ input: question, output, expected_output: expected })
  return { score, features, right }
}

const sets: Record<string, Sample[]> = {
  'first author': labelledAnswers().map((one) => toSample({ ...one, question: one.input })),
  'second author': readAnswers('correctness-author.jsonl').map(toSample),
  'second writer': readAnswers('correctness-second-writer.jsonl').map(toSample),
}

for (const [name, set] of Object.entries(sets)) {
  const weights = fit(Object.entries(sets).flatMap(([other, samples]) => (other === name ? [] : samples)))
  const hits = set.filter(({ features, score, right }) =>
    features ? logistic(weights, features) >= 0.5 === right : score >= 0.7 === right,
  )
  console.log(`${name}, fitted without it: ${hits.length} of ${set.length}`)
}
const weights = fit(Object.values(sets).flat())
console.log(JSON.stringify(weights.map((weight) => Math.round(weight * 100) / 100)))
