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
export function findContradiction(
  wanted: Parsed,
  stated: Parsed,
  /** Concepts whose opposite words agree here, because their sides are exchanged. */
  converses: ReadonlySet<string> = new Set(),
  /** Concepts of the question. The output need not repeat them. */
  asked: ReadonlySet<string> = new Set(),
): Contradiction | undefined {
  if (wanted.verdict && stated.verdict && wanted.verdict !== stated.verdict) {
    return { wanted: wanted.verdict > 0 ? 'yes' : 'no', stated: stated.verdict > 0 ? 'yes' : 'no' }
  }
  const index = new ClauseIndex(stated.clauses)
  for (const clause of wanted.clauses) {
    const matching = index.bestMatch(clause)
    if (matching && relation(clause, matching, converses, asked) < 0)
      return { wanted: show(clause), stated: show(matching) }
  }
  return undefined
}

/** A later clause of the output that denies what the expected answer affirms, about nothing else. */
export function findDenied(
  wanted: Parsed,
  stated: Parsed,
  asked: ReadonlySet<string>,
): Contradiction | undefined {
  const known = asked.union(new Set(wanted.words.map(({ concept }) => concept)))
  for (const clause of wanted.clauses) {
    if (clause.words.length === 0) continue
    for (const other of stated.clauses) {
      const shared = other.words.filter(({ concept }) =>
        clause.words.some((word) => word.concept === concept),
      )
      const isAboutMore = other.words.filter(({ concept }) => !known.has(concept)).length > 1
      if (shared.length === 0 || isAboutMore || shared.length / clause.words.length < leastOverlap) continue
      const isOpposite = shared.some(({ concept, sign }) =>
        clause.words.some((word) => word.concept === concept && word.sign !== sign),
      )
      if (isOpposite && relation(clause, other, new Set(), known) < 0)
        return { wanted: show(clause), stated: show(other) }
    }
  }
  return undefined
}

/** 1 if two clauses with common words agree, -1 if one denies the other. */
export function relation(
  a: Clause,
  b: Clause,
  converses: ReadonlySet<string> = new Set(),
  asked: ReadonlySet<string> = new Set(),
): number {
  const [signsA, signsB] = [signsOf(a), signsOf(b)]
  let product = a.isNegated === b.isNegated ? 1 : -1
  for (const [signs, others] of [
    [signsA, signsB],
    [signsB, signsA],
  ] as const) {
    for (const [concept, { sign, denies }] of signs) {
      if (converses.has(concept)) continue
      const other = others.get(concept)
      if (other && signs === signsA && isReversed(concept, a, b, other.sign !== sign)) product = -product
      if (other ? signs === signsA && other.sign !== sign : !other && denies && !asked.has(concept))
        product = -product
    }
  }
  return product
}

/** Verbs whose opposite exchanges the sides: A lends to B, B borrows from A. */
const exchanges = new Set(['=win', '=borrow', '=buy', '=teach', '=precede', '=own'])
const ordering = new Set(['=before', '=above', '=more', '=large', '=fast', '=high', '=old', '=heavy'])

/** Whether the words before a comparison in one clause are after it in the other: "A before B", "B after A". */
function isReversed(concept: string, a: Clause, b: Clause, isOpposite: boolean): boolean {
  // A passive verb reverses the sides, too; `roles.ts` compares verbs that are the same.
  const isCompared =
    ordering.has(concept) || a.words.some((word) => word.concept === concept && /er$/.test(word.text))
  if (!isCompared && !(isOpposite && exchanges.has(concept))) return false
  const sides = [a, b].map(({ words }) => {
    const at = words.findIndex((word) => word.concept === concept)
    const [front, back] = [words.slice(0, at), words.slice(at + 1)].map(
      (side) => new Set(side.map((word) => word.concept)),
    )
    // "The north pool is deeper than the south pool": "pool" does not tell the sides apart.
    return [front?.difference(back ?? new Set()), back?.difference(front ?? new Set())] as const
  })
  const [[frontA, backA] = [], [frontB, backB] = []] = sides
  if (!frontA || !backA || !frontB || !backB) return false
  const names = new Set(
    [...a.words, ...b.words]
      .filter(({ isName, isCapital }) => isName || isCapital)
      .map((word) => word.concept),
  )
  const common = (x: ReadonlySet<string>, y: ReadonlySet<string>) => x.intersection(y)
  const crossed = Math.min(common(frontA, backB).size, common(backA, frontB).size)
  const straight = [...common(frontA, frontB), ...common(backA, backB)]
  const areNames =
    [...common(frontA, backB)].some((word) => names.has(word)) && !straight.some((word) => names.has(word))
  return crossed > 0 && (crossed > straight.length || areNames)
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

/** Words with which an output begins that repeats the question. */
const leads = 'it they he she this that the a an is are was were does do did'.split(' ')
const longestSwap = 3
const leastFrame = 2

/**
 * Finds words that replace each other in otherwise identical texts: "plants absorb carbon dioxide" and "plants absorb
 * oxygen". A paraphrase rarely changes a single word.
 */
export function findSwapped(
  wanted: string,
  stated: string,
  question = '',
): [wanted: string, stated: string] | undefined {
  const rawWords = (text: string): string[] =>
    text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const asked = new Set([...rawWords(question), ...leads])
  const [a, b] = [wanted, stated].map((text) => {
    const words = rawWords(text)
    return words.slice(
      Math.max(
        0,
        words.findIndex((word) => !asked.has(word)),
      ),
    )
  }) as [string[], string[]]
  const shortest = Math.min(a.length, b.length)
  let start = 0
  while (start < shortest && a[start] === b[start]) start++
  let end = 0
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [gapA, gapB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwap = gapA.length > 0 && gapB.length > 0 && Math.max(gapA.length, gapB.length) <= longestSwap
  return isSwap && start + end >= leastFrame ? [gapA.join(' '), gapB.join(' ')] : undefined
}
