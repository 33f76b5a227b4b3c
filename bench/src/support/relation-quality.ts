import { type LabelledRelation, type LabelledText, reach } from './labelled-passages.ts'

export interface Judged extends LabelledRelation {
  confidence: number
}

export interface RelationQuality {
  /** Number of compared pairs, and the number of related ones. */
  pairs: number
  related: number
  precision: number
  recall: number
  f1: number
  /** The F1 of the baseline that relates all neighbours. */
  neighboursF1: number
  /** Of the correctly found pairs: the share with the right type, and with the right type and direction. */
  typeAccuracy: number
  directedAccuracy: number
  /** The share of the most frequent type among the found pairs, as a baseline. */
  mostFrequentType: number
  /** Mean confidence of completely correct relationships, and of all others. */
  confidenceOfRight: number
  confidenceOfWrong: number
  confidences: number[]
}

const key = (name: string, a: number, b: number) => `${name} ${Math.min(a, b)} ${Math.max(a, b)}`
const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const mean = (values: readonly number[]) =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )
const f1Of = (precision: number, recall: number) => share(2 * precision * recall, precision + recall)

/** Compares a method's relationships with the labels of the texts; a pair counts once, whatever its direction. */
export function measureRelations(
  texts: readonly LabelledText[],
  relate: (text: LabelledText) => readonly Judged[],
): RelationQuality {
  const gold = new Map<string, LabelledRelation>()
  const found = new Map<string, Judged>()
  const near = new Set<string>()
  const neighbours = new Set<string>()
  for (const text of texts) {
    const { name, passages, relations } = text
    for (const relation of relations) gold.set(key(name, relation.source, relation.target), relation)
    for (const relation of relate(text)) found.set(key(name, relation.source, relation.target), relation)
    for (const later of passages.keys()) {
      for (let step = 1; step <= Math.min(reach, later); step++) near.add(key(name, later - step, later))
      if (later > 0) neighbours.add(key(name, later - 1, later))
    }
  }
  const right = [...found].filter(([pair]) => gold.has(pair))
  const isTyped = ([pair, { type }]: [string, Judged]) => gold.get(pair)?.type === type
  const isWhole = ([pair, judged]: [string, Judged]) =>
    isTyped([pair, judged]) && gold.get(pair)?.source === judged.source
  const precision = share(right.length, found.size)
  const recall = share(right.length, gold.size)
  const neighboursRight = [...neighbours].filter((pair) => gold.has(pair)).length
  const types = Map.groupBy(right, ([pair]) => gold.get(pair)?.type)
  const confidencesOf = (isIn: boolean) =>
    [...found].filter((entry) => isWhole(entry) === isIn).map(([, { confidence }]) => confidence)
  return {
    pairs: new Set([...near, ...gold.keys()]).size,
    related: gold.size,
    precision,
    recall,
    f1: f1Of(precision, recall),
    neighboursF1: f1Of(share(neighboursRight, neighbours.size), share(neighboursRight, gold.size)),
    typeAccuracy: share(right.filter(isTyped).length, right.length),
    directedAccuracy: share(right.filter(isWhole).length, right.length),
    mostFrequentType: share(Math.max(0, ...[...types.values()].map((list) => list.length)), right.length),
    confidenceOfRight: mean(confidencesOf(true)),
    confidenceOfWrong: mean(confidencesOf(false)),
    confidences: [...found.values()].map(({ confidence }) => confidence),
  }
}
