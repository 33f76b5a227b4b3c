import { type Cues, cuesOf } from './cues.ts'
import { isProse } from './prose.ts'
import type { Passage } from './types.ts'
import { vectorsOf } from './vectors.ts'

/** Two passages of a document that may be related, the earlier one first. */
export interface Pair {
  earlier: number
  later: number
  /** What the decision is made from; see `relatedFeatures` and `typeFeatures`. */
  related: number[]
  types: number[]
}

export interface CandidatePairs {
  pairs: Pair[]
  isEnglish: boolean
}

/** How far apart passages are that are looked at in any case. */
const reach = 3
/** Passages elsewhere in the document that are looked at because their words are alike. */
const similarOnes = 3
/** Copies (forms, running heads) have nothing to add to one another. */
const mostAlike = 0.9
/** Weaker cues do not tell what a passage as a whole is for. */
const leastCue = 0.5

export const relatedFeatures = [
  'always',
  'likeness',
  'closest of all before',
  'one apart',
  'two apart',
  'further than three apart',
  'in one section',
  'in other sections of the first level',
  'leaning on what is before',
  'reason or evidence, in one section',
  'overview before the first of a section',
  'overview before anything else',
  'conclusion',
  'conclusion, likeness',
] as const

export const typeFeatures = [
  'always',
  'overview',
  'overview of a section below',
  'conclusion',
  'explanation',
  'evidence',
  'numbers beside evidence',
] as const

interface Read extends Passage {
  cues: Cues
  /** The first passage under its heading. */
  isFirst: boolean
  /** Others relate to nothing: records, forms, references, code. */
  isProse: boolean
}

/** The pairs of a document that are worth a look: a bounded number for each passage. */
export function candidatePairs(passages: readonly Passage[]): CandidatePairs {
  const vectors = vectorsOf(passages)
  const isEnglish = vectors.language === 'english'
  const read = passages.map((passage, index): Read => {
    const place = index / Math.max(1, passages.length - 1)
    const isFirst = index === 0 || pathOf(passage) !== pathOf(passages[index - 1])
    const cues = cuesOf(passage, place, isEnglish)
    return { ...passage, cues, isFirst, isProse: !isEnglish || isProse(passage.text) }
  })
  const pairs: Pair[] = []
  for (const later of read.keys()) {
    const partners = partnersOf(later, vectors.nearest(later, similarOnes))
    const likenesses = partners.map((earlier) => vectors.cosine(earlier, later))
    const closest = Math.max(...likenesses)
    for (const [index, earlier] of partners.entries()) {
      const likeness = likenesses[index] ?? 0
      if (likeness > mostAlike || !read[earlier]?.isProse || !read[later]?.isProse) continue
      pairs.push(
        describe(read, { earlier, later, likeness, isClosest: likeness === closest && likeness > 0 }),
      )
    }
  }
  return { pairs, isEnglish }
}

function partnersOf(later: number, similar: readonly number[]): number[] {
  const near = Array.from({ length: reach }, (_, index) => later - 1 - index)
  return [...new Set([...near, ...similar])].filter((earlier) => earlier >= 0 && earlier < later)
}

function pathOf(passage: Passage | undefined): string {
  return (passage?.headingPath ?? []).join('\n')
}

interface Found {
  earlier: number
  later: number
  likeness: number
  /** Of all that stand before the later one, the earlier one is most like it. */
  isClosest: boolean
}

function describe(read: readonly Read[], { earlier, later, likeness, isClosest }: Found): Pair {
  const [a, b] = [read[earlier] as Read, read[later] as Read]
  const distance = later - earlier
  const [above, below] = [pathOf(a), pathOf(b)]
  const isBelow = below.startsWith(`${above}\n`) && b.isFirst
  const isInOne = above === below
  const isElsewhere = a.headingPath[1] !== b.headingPath[1] && !isBelow
  const closes = b.cues.conclusion
  const opens = a.isFirst && closes < leastCue ? a.cues.overview : 0
  return {
    earlier,
    later,
    related: [
      1,
      likeness,
      flag(isClosest),
      flag(distance === 1),
      flag(distance === 2),
      flag(distance > reach),
      flag(isInOne),
      flag(isElsewhere && opens < leastCue && closes < leastCue),
      distance === 1 ? b.cues.leaning : 0,
      isInOne && distance === 1 ? flag(b.cues.explanation + b.cues.evidence >= leastCue) : 0,
      flag(opens >= leastCue && b.isFirst && distance <= reach),
      flag(opens >= leastCue && !(b.isFirst && distance <= reach)),
      flag(closes >= leastCue),
      closes >= leastCue ? likeness : 0,
    ],
    types: [
      1,
      opens,
      flag(isBelow),
      closes,
      b.cues.explanation,
      b.cues.evidence,
      b.cues.evidence >= leastCue ? Math.max(0, b.cues.numbers - a.cues.numbers) : 0,
    ],
  }
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
