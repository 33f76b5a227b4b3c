import { detectLanguage, type Language, tokenize } from '../../lib/text.ts'
import type { Passage } from './types.ts'

/** Terms of passages, rare ones of the document weighing more; each vector has length 1. */
export interface PassageVectors {
  language: Language
  /** 0..1. */
  cosine(a: number, b: number): number
  /** Passages whose words are most alike, best first; only through words that few passages share. */
  nearest(passage: number, limit: number): number[]
}

/** A word that more passages than this have finds no neighbours: the work for a passage stays bounded. */
const mostSharing = 40
const sampleLength = 20_000

/** Tokenises every passage; takes a second for a few thousand of them. */
export function vectorsOf(passages: readonly Passage[]): PassageVectors {
  const language = detectLanguage(sample(passages))
  const counts = passages.map(({ text }) => countsOf(tokenize(text, language)))
  const holders = new Map<string, number[]>()
  for (const [passage, terms] of counts.entries()) {
    for (const term of terms.keys()) {
      const list = holders.get(term)
      if (list) list.push(passage)
      else holders.set(term, [passage])
    }
  }
  const rarity = (term: string) => Math.log((passages.length + 1) / (holders.get(term)?.length ?? 1))
  const vectors = counts.map((terms) => normalised(terms, rarity))
  return {
    language,
    cosine: (a, b) => dot(vectors[a], vectors[b]),
    nearest: (passage, limit) => nearest(passage, limit, vectors, holders),
  }
}

/** From several places: a title page may be in another language. */
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

function normalised(
  counts: ReadonlyMap<string, number>,
  rarity: (term: string) => number,
): Map<string, number> {
  const weights = new Map<string, number>()
  let squares = 0
  for (const [term, count] of counts) {
    const weight = (1 + Math.log(count)) * rarity(term)
    weights.set(term, weight)
    squares += weight * weight
  }
  const length = Math.sqrt(squares) || 1
  for (const [term, weight] of weights) weights.set(term, weight / length)
  return weights
}

type Vector = ReadonlyMap<string, number>

function dot(a: Vector | undefined, b: Vector | undefined): number {
  if (!a || !b) return 0
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of few) sum += weight * (many.get(term) ?? 0)
  return Math.min(1, sum)
}

function nearest(
  passage: number,
  limit: number,
  vectors: readonly Vector[],
  holders: ReadonlyMap<string, readonly number[]>,
): number[] {
  const scores = new Map<number, number>()
  for (const [term, weight] of vectors[passage] ?? []) {
    const sharing = holders.get(term) ?? []
    if (sharing.length > mostSharing) continue
    for (const other of sharing) {
      if (other === passage) continue
      scores.set(other, (scores.get(other) ?? 0) + weight * (vectors[other]?.get(term) ?? 0))
    }
  }
  const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
  return best.slice(0, limit).map(([other]) => other)
}
