import { candidatePairs, relatedFeatures, relationTypes, typeFeatures } from '@cairn/server/bench/relating'
import { loadLabelledTexts } from './support/labelled-passages.ts'

/** Prints the weights for `server/src/domains/relating/weights.ts`, fitted to the training texts. */

interface Sample {
  features: readonly number[]
  label: number
}

const softmax = (scores: readonly number[]) => {
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

/** Multinomial logistic regression by gradient descent, with regularisation of all weights except the constant. */
function fit(
  samples: readonly Sample[],
  classes: number,
  decay: number,
  isFree = (_c: number, _f: number) => true,
) {
  const width = samples[0]?.features.length ?? 0
  const weights = Array.from({ length: classes }, () => new Array<number>(width).fill(0))
  for (let step = 0; step < 8_000; step++) {
    const gradient = weights.map((row) => row.map((weight, index) => (index === 0 ? 0.02 : decay) * weight))
    for (const { features, label } of samples) {
      const shares = softmax(weights.map((row) => dot(row, features)))
      for (const [at, row] of gradient.entries()) {
        const error = (shares[at] ?? 0) - (at === label ? 1 : 0)
        for (const [index, value] of features.entries()) row[index] = (row[index] ?? 0) + error * value
      }
    }
    for (const [at, row] of weights.entries()) {
      for (const index of row.keys()) {
        if (isFree(at, index))
          row[index] = (row[index] ?? 0) - (0.5 / samples.length) * (gradient[at]?.[index] ?? 0)
      }
    }
  }
  return weights
}

const related: Sample[] = []
const typed: Sample[] = []
for (const { passages, relations } of loadLabelledTexts().filter(({ split }) => split === 'train')) {
  for (const pair of candidatePairs(passages).pairs) {
    const found = relations.find(
      ({ source, target }) =>
        Math.min(source, target) === pair.earlier && Math.max(source, target) === pair.later,
    )
    related.push({ features: pair.related, label: found ? 1 : 0 })
    const label = (relationTypes as readonly (string | undefined)[]).indexOf(found?.type)
    if (label >= 0) typed.push({ features: pair.types, label })
  }
}
/** Each type has its own features; ELABORATES, the last type, is the default. */
const own: Record<string, readonly string[]> = {
  INTRODUCES: ['overview', 'overview of a section below'],
  CONCLUDES: ['conclusion'],
  EXPLAINS: ['explanation'],
  SUPPORTS: ['evidence', 'numbers beside evidence'],
  ELABORATES: [],
}
const isFree = (type: number, feature: number) => {
  const name = relationTypes[type] ?? ''
  return (
    name !== 'ELABORATES' && (feature === 0 || (own[name]?.includes(typeFeatures[feature] ?? '') ?? false))
  )
}
const round = (value: number) => Math.round(value * 100) / 100
const weights = fit(related, 2, 0.3)
console.log(`${related.length} pairs, ${related.filter(({ label }) => label === 1).length} related`)
for (const [index, name] of relatedFeatures.entries()) {
  console.log(name, round((weights[1]?.[index] ?? 0) - (weights[0]?.[index] ?? 0)))
}
for (const [at, row] of fit(typed, relationTypes.length, 0.3, isFree).entries()) {
  console.log(relationTypes[at], JSON.stringify(row.map(round)))
}
