import { candidatePairs, type Pair } from './pairs.ts'
import { type Passage, type Relation, relationTypes } from './types.ts'
import { relatedWeights, typeWeights } from './weights.ts'

/** Below it, two passages count as not related. */
const leastRelated = 0.45
/** Below it, a relation is not worth having. */
const leastConfidence = 0.25
/** What a language is trusted with whose cues are not read. */
const withoutCues = 0.7
/** Relations that one passage may begin; the surest stay. */
const mostFromOne = 4

/**
 * The relations of a document's passages by its words and their order, without a model: pairs that are near, or alike,
 * are weighed by likeness, place and cues, and the type by the cues of the passage that would be the source. Takes
 * about a second for some thousand passages, so it is no work for the event loop.
 */
export function relateLocally(passages: readonly Passage[]): Relation[] {
  const { pairs, isEnglish } = candidatePairs(passages)
  const found = pairs.flatMap((pair) => relationOf(pair, isEnglish ? 1 : withoutCues) ?? [])
  return withinBounds(found)
}

/** The direction follows from the type: what introduces stands before, what concludes or adds comes after. */
function relationOf(pair: Pair, trust: number): Relation | undefined {
  const related = 1 / (1 + Math.exp(-dot(relatedWeights, pair.related)))
  if (related < leastRelated) return undefined
  const powers = relationTypes.map((type) => Math.exp(dot(typeWeights[type], pair.types)))
  const share = Math.max(...powers) / powers.reduce((sum, power) => sum + power, 0)
  const type = relationTypes[powers.indexOf(Math.max(...powers))] ?? 'ELABORATES'
  const confidence = Math.round(100 * related * share * trust) / 100
  if (confidence < leastConfidence) return undefined
  const { earlier, later } = pair
  const [source, target] = type === 'INTRODUCES' ? [earlier, later] : [later, earlier]
  return { source, target, type, confidence }
}

function withinBounds(relations: readonly Relation[]): Relation[] {
  const bySource = Map.groupBy(relations, ({ source }) => source)
  return [...bySource.values()].flatMap((list) =>
    list.sort((a, b) => b.confidence - a.confidence).slice(0, mostFromOne),
  )
}

function dot(weights: readonly number[], features: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (features[index] ?? 0), 0)
}
