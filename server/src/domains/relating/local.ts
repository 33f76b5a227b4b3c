import { candidatePairs, type Pair } from './pairs.ts'
import { type Passage, type Relation, relationTypes } from './types.ts'
import { relatedWeights, typeWeights } from './weights.ts'

/** Pairs with a lower probability are not related. */
const minProbability = 0.45
/** Relations with a lower confidence are dropped. */
const minConfidence = 0.25
/** Factor of the confidence for languages without cues. */
const trustWithoutCues = 0.7
/** Maximum relations with the same source; the most confident ones are kept. */
const maxPerSource = 4

/**
 * Finds the relations between the passages of a document without a model. Candidates are pairs of near or similar
 * passages. Logistic regression over similarity, position and cues decides whether a pair is related, and multinomial
 * logistic regression over the cues decides the type. The weights are fitted by `bench/src/fit-relationships.ts`.
 *
 * A few thousand passages take about a second, so call it in a child process.
 */
export function relateLocally(passages: readonly Passage[]): Relation[] {
  const { pairs, isEnglish } = candidatePairs(passages)
  const found = pairs.flatMap((pair) => relationOf(pair, isEnglish ? 1 : trustWithoutCues) ?? [])
  return withinBounds(found)
}

/** The type determines the direction: the source of INTRODUCES is the earlier passage, of all others the later one. */
function relationOf(pair: Pair, trust: number): Relation | undefined {
  const probability = 1 / (1 + Math.exp(-dot(relatedWeights, pair.related)))
  if (probability < minProbability) return undefined
  // Softmax over the types.
  const exponentials = relationTypes.map((type) => Math.exp(dot(typeWeights[type], pair.types)))
  const typeProbability = Math.max(...exponentials) / exponentials.reduce((sum, value) => sum + value, 0)
  const type = relationTypes[exponentials.indexOf(Math.max(...exponentials))] ?? 'ELABORATES'
  const confidence = Math.round(100 * probability * typeProbability * trust) / 100
  if (confidence < minConfidence) return undefined
  const { earlier, later } = pair
  const [source, target] = type === 'INTRODUCES' ? [earlier, later] : [later, earlier]
  return { source, target, type, confidence }
}

function withinBounds(relations: readonly Relation[]): Relation[] {
  const bySource = Map.groupBy(relations, ({ source }) => source)
  return [...bySource.values()].flatMap((list) =>
    list.sort((a, b) => b.confidence - a.confidence).slice(0, maxPerSource),
  )
}

function dot(weights: readonly number[], features: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (features[index] ?? 0), 0)
}
