import { type Cues, cuesOf } from './cues.ts'
import { isProse } from './prose.ts'
import type { Passage } from './types.ts'
import { vectorsOf } from './vectors.ts'

/** Two passages of a document that may be related, by their positions. */
export interface Pair {
  earlier: number
  later: number
  /** Features for whether they are related, in the order of `relatedFeatures`. */
  related: number[]
  /** Features for the type, in the order of `typeFeatures`. */
  types: number[]
}

export interface CandidatePairs {
  pairs: Pair[]
  isEnglish: boolean
}

/** Passages at most this far apart are always candidates. */
const maxDistance = 3
/** Number of similar passages elsewhere in the document that are candidates. */
const similarPassages = 3
/** More similar passages are copies (forms, running heads), which have no relations. */
const maxSimilarity = 0.9
/** Weaker cues do not determine the role of a whole passage. */
const minCue = 0.5

export const relatedFeatures = [
  'bias',
  'similarity',
  'most similar earlier passage',
  'distance one',
  'distance two',
  'distance above three',
  'same section',
  'different sections of the second level',
  'back reference to the previous passage',
  'explanation or evidence after a passage of the same section',
  'overview before the first passage of a section',
  'overview before another passage',
  'conclusion',
  'similarity of a conclusion',
] as const

export const typeFeatures = [
  'bias',
  'overview',
  'first passage of a subsection',
  'conclusion',
  'explanation',
  'evidence',
  'more numbers in evidence',
] as const

interface AnalysedPassage extends Passage {
  cues: Cues
  /** True for the first passage under its heading. */
  isFirst: boolean
  /** False for records, forms, references and code, which have no relations. */
  isProse: boolean
}

/** The candidate pairs of a document with their features, a bounded number per passage. */
export function candidatePairs(passages: readonly Passage[]): CandidatePairs {
  const vectors = vectorsOf(passages)
  const isEnglish = vectors.language === 'english'
  const analysed = passages.map((passage, index): AnalysedPassage => {
    const place = index / Math.max(1, passages.length - 1)
    const isFirst = index === 0 || pathOf(passage) !== pathOf(passages[index - 1])
    const cues = cuesOf(passage, place, isEnglish)
    return { ...passage, cues, isFirst, isProse: !isEnglish || isProse(passage.text) }
  })
  const pairs: Pair[] = []
  for (const later of analysed.keys()) {
    const partners = partnersOf(later, vectors.nearest(later, similarPassages))
    const similarities = partners.map((earlier) => vectors.cosine(earlier, later))
    const highest = Math.max(...similarities)
    for (const [index, earlier] of partners.entries()) {
      const similarity = similarities[index] ?? 0
      if (similarity > maxSimilarity || !analysed[earlier]?.isProse || !analysed[later]?.isProse) continue
      const isMostSimilar = similarity === highest && similarity > 0
      pairs.push(withFeatures(analysed, { earlier, later, similarity, isMostSimilar }))
    }
  }
  return { pairs, isEnglish }
}

function partnersOf(later: number, similar: readonly number[]): number[] {
  const near = Array.from({ length: maxDistance }, (_, index) => later - 1 - index)
  return [...new Set([...near, ...similar])].filter((earlier) => earlier >= 0 && earlier < later)
}

function pathOf(passage: Passage | undefined): string {
  return (passage?.headingPath ?? []).join('\n')
}

interface Candidate {
  earlier: number
  later: number
  similarity: number
  /** True if the earlier passage is the most similar one among the candidates before the later passage. */
  isMostSimilar: boolean
}

function withFeatures(
  analysed: readonly AnalysedPassage[],
  { earlier, later, similarity, isMostSimilar }: Candidate,
): Pair {
  const [a, b] = [analysed[earlier] as AnalysedPassage, analysed[later] as AnalysedPassage]
  const distance = later - earlier
  const [above, below] = [pathOf(a), pathOf(b)]
  const isBelow = below.startsWith(`${above}\n`) && b.isFirst
  const isInOne = above === below
  const isElsewhere = a.headingPath[1] !== b.headingPath[1] && !isBelow
  const closes = b.cues.conclusion
  const opens = a.isFirst && closes < minCue ? a.cues.overview : 0
  return {
    earlier,
    later,
    related: [
      1,
      similarity,
      flag(isMostSimilar),
      flag(distance === 1),
      flag(distance === 2),
      flag(distance > maxDistance),
      flag(isInOne),
      flag(isElsewhere && opens < minCue && closes < minCue),
      distance === 1 ? b.cues.backReference : 0,
      isInOne && distance === 1 ? flag(b.cues.explanation + b.cues.evidence >= minCue) : 0,
      flag(opens >= minCue && b.isFirst && distance <= maxDistance),
      flag(opens >= minCue && !(b.isFirst && distance <= maxDistance)),
      flag(closes >= minCue),
      closes >= minCue ? similarity : 0,
    ],
    types: [
      1,
      opens,
      flag(isBelow),
      closes,
      b.cues.explanation,
      b.cues.evidence,
      b.cues.evidence >= minCue ? Math.max(0, b.cues.numbers - a.cues.numbers) : 0,
    ],
  }
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
