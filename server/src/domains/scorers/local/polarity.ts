import type { Clause, Parsed, Word } from './clauses.ts'
import { groupOfWord } from './lexicon.ts'

export interface Contradiction {
  /** The contradicting words of each text, for the reasoning. */
  wanted: string
  stated: string
}

const leastOverlap = 0.34

/**
 * Finds two clauses with the same content: one affirms it, and the other denies it. Negations (not), denying words
 * (forbidden) and opposite ends of a scale (before, after) count, if their number is odd. Undefined if the texts agree or
 * have no common content.
 */
export function findContradiction(wanted: Parsed, stated: Parsed): Contradiction | undefined {
  if (wanted.verdict && stated.verdict && wanted.verdict !== stated.verdict) {
    return { wanted: wanted.verdict > 0 ? 'yes' : 'no', stated: stated.verdict > 0 ? 'yes' : 'no' }
  }
  const index = new ClauseIndex(stated.clauses)
  for (const clause of wanted.clauses) {
    const matching = index.bestMatch(clause)
    if (matching && relation(clause, matching) < 0) return { wanted: show(clause), stated: show(matching) }
  }
  return undefined
}

/** 1 if two clauses with common words agree, -1 if one denies the other. */
export function relation(a: Clause, b: Clause): number {
  const [signsA, signsB] = [signsOf(a), signsOf(b)]
  let product = a.isNegated === b.isNegated ? 1 : -1
  for (const [signs, others] of [
    [signsA, signsB],
    [signsB, signsA],
  ] as const) {
    for (const [concept, { sign, denies }] of signs) {
      const other = others.get(concept)
      if (other && signs === signsA && isReversed(concept, a, b)) product = -product
      if (other ? signs === signsA && other.sign !== sign : !other && denies) product = -product
    }
  }
  return product
}

const ordering = new Set(['=before', '=above', '=more', '=large', '=fast', '=high', '=old', '=heavy'])

/** Whether the words before a comparison in one clause are after it in the other: "A before B", "B after A". */
function isReversed(concept: string, a: Clause, b: Clause): boolean {
  if (!ordering.has(concept)) return false
  const sides = [a, b].map(({ words }) => {
    const at = words.findIndex((word) => word.concept === concept)
    return [words.slice(0, at), words.slice(at + 1)].map((side) => new Set(side.map((word) => word.concept)))
  })
  const [[frontA, backA] = [], [frontB, backB] = []] = sides
  if (!frontA || !backA || !frontB || !backB) return false
  const crossed = Math.min(frontA.intersection(backB).size, backA.intersection(frontB).size)
  const straight = frontA.intersection(frontB).size + backA.intersection(backB).size
  return crossed > 0 && crossed > straight
}

/** Index from a concept to its clauses. Long texts are compared clause by clause. */
export class ClauseIndex {
  readonly #clauses: readonly Clause[]
  /** From a concept to the positions of the clauses that contain it. */
  readonly #places = new Map<string, number[]>()

  constructor(clauses: readonly Clause[]) {
    this.#clauses = clauses
    for (const [place, { words }] of clauses.entries()) {
      for (const concept of new Set(words.map((word) => word.concept))) {
        const places = this.#places.get(concept)
        if (places) places.push(place)
        else this.#places.set(concept, [place])
      }
    }
  }

  /** The first clause with the most common words; undefined if there are too few. */
  bestMatch(clause: Clause): Clause | undefined {
    const concepts = new Set(clause.words.map(({ concept }) => concept))
    const shared = new Map<number, number>()
    for (const concept of concepts) {
      for (const place of this.#places.get(concept) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
    }
    let [best, most] = [-1, 0]
    for (const [place, count] of shared) {
      if (count > most || (count === most && place < best)) [best, most] = [place, count]
    }
    return most / Math.max(1, concepts.size) >= leastOverlap ? this.#clauses[best] : undefined
  }
}

/** A concept with both signs in one clause has no sign. */
function signsOf({ words }: Clause): Map<string, Word> {
  const signs = new Map<string, Word>()
  const torn = new Set<string>()
  for (const word of words) {
    const known = signs.get(word.concept)
    if (known && known.sign !== word.sign) torn.add(word.concept)
    else signs.set(word.concept, word)
  }
  for (const concept of torn) signs.delete(concept)
  return signs
}

function show({ words, isNegated }: Clause): string {
  return `${isNegated ? 'not: ' : ''}${words.map(({ text }) => text).join(' ')}`
}

/** A word of the expected answer for which the output has another word of the same kind: blue for red, May for June. */
export function findReplaced(
  missing: readonly Word[],
  extra: readonly Word[],
): [wanted: string, stated: string] | undefined {
  for (const { text } of missing) {
    const group = groupOfWord(text)
    const other = group === undefined ? undefined : extra.find((word) => groupOfWord(word.text) === group)
    if (other) return [text, other.text]
  }
  return undefined
}

const longestSwap = 3
const leastFrame = 2

/**
 * Finds words that replace each other in otherwise identical texts: "plants absorb carbon dioxide" and "plants absorb
 * oxygen". A paraphrase rarely changes a single word.
 */
export function findSwapped(wanted: string, stated: string): [wanted: string, stated: string] | undefined {
  const rawWords = (text: string): string[] =>
    text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const [a, b] = [rawWords(wanted), rawWords(stated)]
  const shortest = Math.min(a.length, b.length)
  let start = 0
  while (start < shortest && a[start] === b[start]) start++
  let end = 0
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [gapA, gapB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwap = gapA.length > 0 && gapB.length > 0 && Math.max(gapA.length, gapB.length) <= longestSwap
  return isSwap && start + end >= leastFrame ? [gapA.join(' '), gapB.join(' ')] : undefined
}
