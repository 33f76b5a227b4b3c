import { detectLanguage, type Language, tokenize } from '../../lib/text.ts'
import type { Passage } from './types.ts'

/** TF-IDF vectors of passages, of length 1. */
export interface PassageVectors {
  language: Language
  /** Cosine similarity of two passages, 0..1. */
  cosine(a: number, b: number): number
  /** The most similar passages, best first. Only terms in few passages count. */
  nearest(passage: number, limit: number): number[]
}

/** Terms in more passages do not count for `nearest`, which bounds the work per passage. */
const maxPassagesPerTerm = 40
const sampleLength = 20_000

/** Tokenizes every passage; a few thousand passages take a second. */
export function vectorsOf(passages: readonly Passage[]): PassageVectors {
  const language = detectLanguage(sample(passages))
  const counts = passages.map(({ text }) => countsOf(tokenize(text, language)))
  const passagesByTerm = new Map<string, number[]>()
  for (const [passage, terms] of counts.entries()) {
    for (const term of terms.keys()) {
      const list = passagesByTerm.get(term)
      if (list) list.push(passage)
      else passagesByTerm.set(term, [passage])
    }
  }
  const rarity = (term: string) => Math.log((passages.length + 1) / (passagesByTerm.get(term)?.length ?? 1))
  for (const terms of counts) weigh(terms, rarity)
  return {
    language,
    cosine: (a, b) => dot(counts[a], counts[b]),
    nearest: createNearest(counts, sharedOf(counts, passagesByTerm)),
  }
}

/** Text from the whole document, because a title page may have another language. */
function sample(passages: readonly Passage[]): string {
  const step = Math.ceil(passages.length / 12)
  const texts = passages.filter((_, index) => index % step === 0).map(({ text }) => text)
  return texts.join('\n').slice(0, sampleLength)
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Changes term counts to a unit vector of weights, in place. */
function weigh(terms: Map<string, number>, rarity: (term: string) => number): void {
  let squares = 0
  for (const [term, count] of terms) {
    const weight = (1 + Math.log(count)) * rarity(term)
    terms.set(term, weight)
    squares += weight * weight
  }
  const length = Math.sqrt(squares) || 1
  for (const [term, weight] of terms) terms.set(term, weight / length)
}

type Vector = ReadonlyMap<string, number>

function dot(a: Vector | undefined, b: Vector | undefined): number {
  if (!a || !b) return 0
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of few) sum += weight * (many.get(term) ?? 0)
  return Math.min(1, sum)
}

/** The passages that contain a term, and its weight in each. */
interface Shared {
  passages: readonly number[]
  weights: Float64Array
}

/** The terms in several, but not too many, passages. */
function sharedOf(
  vectors: readonly Vector[],
  passagesByTerm: ReadonlyMap<string, readonly number[]>,
): Map<string, Shared> {
  const shared = new Map<string, Shared>()
  for (const [term, passages] of passagesByTerm) {
    if (passages.length < 2 || passages.length > maxPassagesPerTerm) continue
    const weights = Float64Array.from(passages, (passage) => vectors[passage]?.get(term) ?? 0)
    shared.set(term, { passages, weights })
  }
  return shared
}

function createNearest(
  vectors: readonly Vector[],
  shared: ReadonlyMap<string, Shared>,
): PassageVectors['nearest'] {
  const scores = new Float64Array(vectors.length)
  return (passage, limit) => {
    const touched: number[] = []
    for (const [term, weight] of vectors[passage] ?? []) {
      const { passages, weights } = shared.get(term) ?? {}
      if (!passages || !weights) continue
      for (let at = 0; at < passages.length; at++) {
        const other = passages[at] as number
        if (other === passage) continue
        if (scores[other] === 0) touched.push(other)
        scores[other] = (scores[other] as number) + weight * (weights[at] as number)
      }
    }
    const best = touched
      .map((other) => [other, scores[other] as number] as const)
      .sort(([a, x], [b, y]) => y - x || a - b)
    for (const other of touched) scores[other] = 0
    return best.slice(0, limit).map(([other]) => other)
  }
}
