import { sentencesOf, type Token } from './grammar.ts'
import { baseStem, meaningOf } from './lexicon.ts'

/** Who does what to whom: a verb, a comparison or a relation ("is a student of") with its sides. */
interface Relation {
  concept: string
  sign: 1 | -1
  /** Stems of the nouns of each side. The agent of a passive verb follows "by". */
  agent: ReadonlySet<string>
  others: ReadonlySet<string>
  shown: string
}

export interface Roles {
  relations: readonly Relation[]
  nouns: ReadonlySet<string>
  /** From a preposition of place or direction to the nouns that follow it. */
  places: ReadonlyMap<string, ReadonlySet<string>>
}

const nounTag = /^(?:NOUN|PROPN)$/
const boundary = /^(?:,|;|:|that|which|who|because|while|whereas|if|when|but)$/
const copula = /^(?:be|am|is|are|was|were|been|being|become|became)$/

/** The roles in an English text. */
export function rolesOf(text: string): Roles {
  const relations: Relation[] = []
  const nouns = new Set<string>()
  const places = new Map<string, Set<string>>()
  for (const tokens of sentencesOf(text)) {
    for (const token of tokens) if (nounTag.test(token.tag)) nouns.add(nounOf(token))
    addPlaces(tokens, places)
    relations.push(...relationsOf(tokens))
  }
  return { relations, nouns, places }
}

function nounOf({ text }: Token): string {
  return meaningOf(text)?.concept ?? baseStem(text)
}

function addPlaces(tokens: readonly Token[], places: Map<string, Set<string>>): void {
  for (const [at, { text }] of tokens.entries()) {
    if (text !== 'from' && text !== 'to') continue
    const noun = tokens.slice(at + 1, at + 4).find(({ tag }) => nounTag.test(tag))
    if (!noun) continue
    const known = places.get(text)
    if (known) known.add(nounOf(noun))
    else places.set(text, new Set([nounOf(noun)]))
  }
}

function relationsOf(tokens: readonly Token[]): Relation[] {
  const found = tokens.flatMap((_, at) => (isHead(tokens, at) ? [at] : []))
  const heads =
    found.length > 0 ? found : tokens.flatMap((_, at) => (isLikeVerb(tokens, at) ? [at] : [])).slice(0, 1)
  let subject: ReadonlySet<string> = new Set()
  return heads.flatMap((at, index) => {
    const start = heads[index - 1] ?? -1
    const end = heads[index + 1] ?? tokens.length
    const left = leftOf(tokens.slice(start + 1, at), index > 0)
    if (left.size > 0) subject = left
    const right = tokens.slice(at + 1, end)
    // Nouns directly before the next verb, after a conjunction, are its subject.
    const cut = index < heads.length - 1 ? lastBreak(right) : right.length
    const made = toRelation(tokens, at, subject, right.slice(0, cut))
    return made ? [made] : []
  })
}

function isHead(tokens: readonly Token[], at: number): boolean {
  const { tag, text } = tokens[at] as Token
  if (tag === 'VERB') return true
  if (tag !== 'AUX' || !copula.test(text)) return false
  const next = tokens.slice(at + 1).find((token) => !/^(?:ADV|PART|AUX)$/.test(token.tag))
  return next?.tag !== 'VERB'
}

/** "Causes" in "smoking causes lung cancer" is tagged as a noun. */
function isLikeVerb(tokens: readonly Token[], at: number): boolean {
  const [before, here, next] = [tokens[at - 1], tokens[at] as Token, tokens[at + 1]]
  if (here.tag !== 'NOUN' || !before || !nounTag.test(before.tag) || !next) return false
  return here.text.endsWith('s')
    ? /^(?:NOUN|PROPN|ADJ|DET|PRON|ADP)$/.test(next.tag)
    : /^(?:to|the|a|an|on)$/.test(next.text)
}

/** The subject: nouns of the clause before the verb that do not follow a preposition. */
function leftOf(tokens: readonly Token[], isAfterVerb: boolean): Set<string> {
  let start = 0
  for (const [at, { text, tag }] of tokens.entries()) {
    if (boundary.test(text) || (isAfterVerb && tag === 'CCONJ')) start = at + 1
  }
  const clause = tokens.slice(start)
  const free = new Set<string>()
  let isFree = true
  for (const token of clause) {
    if (token.tag === 'ADP') isFree = false
    if (token.tag === 'CCONJ') isFree = true
    if (isFree && nounTag.test(token.tag)) free.add(nounOf(token))
  }
  if (isAfterVerb && start === 0) return new Set()
  return free
}

function lastBreak(tokens: readonly Token[]): number {
  const at = tokens.findLastIndex(
    ({ text, tag }) => boundary.test(text) || tag === 'CCONJ' || tag === 'SCONJ',
  )
  return at < 0 ? tokens.length : at
}

function toRelation(
  tokens: readonly Token[],
  at: number,
  subject: ReadonlySet<string>,
  right: readonly Token[],
): Relation | undefined {
  const head = tokens[at] as Token
  const than = right.findIndex(({ text }) => text === 'than')
  const nounsOf = (some: readonly Token[]) => new Set(some.filter(({ tag }) => nounTag.test(tag)).map(nounOf))
  if (than > 0 && subject.size > 0) {
    const compared = right.slice(0, than).findLast(({ tag }) => /^(?:ADJ|ADV|NOUN)$/.test(tag))
    if (compared) return toSides(compared.text, subject, nounsOf(right.slice(than)))
  }
  if (copula.test(head.text)) {
    const owner = right.findIndex(({ text }) => text === "'s" || text === '’s')
    if (owner > 0) {
      // "Piet is Jan's uncle"
      const owned = right.slice(owner).find(({ tag }) => nounTag.test(tag))
      return owned ? toSides(owned.text, subject, nounsOf(right.slice(0, owner))) : undefined
    }
    const noun = right.find(({ tag }) => nounTag.test(tag))
    const rest = noun ? right.slice(right.indexOf(noun) + 1) : []
    return noun && rest.some(({ text }) => text === 'of' || text === 'for')
      ? toSides(noun.text, subject, nounsOf(rest))
      : undefined
  }
  const aux = tokens.slice(Math.max(0, at - 3), at)
  const isPassive =
    !head.text.endsWith('ing') &&
    aux.some(({ text }) => /^(?:is|are|was|were|been|being|be|got|gets)$/.test(text))
  if (!isPassive) return toSides(head.text, subject, nounsOf(right))
  const by = right.findIndex(({ text }) => text === 'by')
  const agent = by < 0 ? new Set<string>() : nounsOf(right.slice(by, nextAdposition(right, by)))
  return toSides(head.text, agent, new Set([...subject, ...nounsOf(by < 0 ? right : right.slice(0, by))]))
}

function nextAdposition(tokens: readonly Token[], from: number): number {
  const at = tokens.findIndex(({ tag }, index) => index > from && tag === 'ADP')
  return at < 0 ? tokens.length : at
}

function toSides(word: string, agent: ReadonlySet<string>, others: ReadonlySet<string>): Relation {
  const meaning = meaningOf(word)
  const { concept, sign } = meaning ?? { concept: baseStem(word), sign: 1 as const }
  return {
    concept,
    sign,
    agent,
    others,
    shown: `${[...agent].join(' ')} ${word} ${[...others].join(' ')}`.trim(),
  }
}

export interface ComparedRoles {
  swapped: { wanted: Relation; stated: Relation } | undefined
  /** Concepts with opposite words and exchanged sides: "A lends to B" and "B borrows from A" agree. */
  converses: ReadonlySet<string>
}

/** Finds a relation whose sides are exchanged in the other text. */
export function compareRoles(wanted: Roles, stated: Roles): ComparedRoles {
  const converses = new Set<string>()
  let swapped: ComparedRoles['swapped']
  const byConcept = Map.groupBy(stated.relations, ({ concept }) => concept)
  for (const one of wanted.relations) {
    const others = byConcept.get(one.concept) ?? []
    const verdicts = others.map((other) => compare(one, other, wanted, stated))
    if (verdicts.includes('converse')) converses.add(one.concept)
    if (verdicts.includes('same') || verdicts.includes('converse')) continue
    const at = verdicts.indexOf('swapped')
    const other = others[at]
    if (other) swapped ??= { wanted: one, stated: other }
  }
  return { swapped, converses }
}

function compare(
  a: Relation,
  b: Relation,
  wanted: Roles,
  stated: Roles,
): 'same' | 'swapped' | 'converse' | undefined {
  const meets = (x: ReadonlySet<string>, y: ReadonlySet<string>) => x.intersection(y).size > 0
  const isCrossed =
    meets(a.agent.difference(a.others), b.others.difference(b.agent)) &&
    meets(b.agent.difference(b.others), a.others.difference(a.agent))
  if (a.sign !== b.sign) return isCrossed ? 'converse' : undefined
  if (meets(a.agent, b.agent)) return 'same'
  if (isCrossed) return 'swapped'
  if (a.agent.size === 0 || b.agent.size === 0) {
    // "Brazil were beaten" and "Brazil beat Germany": the only noun is on the other side.
    return undefined
  }
  const isElsewhere = a.agent.isSubsetOf(stated.nouns) && b.agent.isSubsetOf(wanted.nouns)
  return isElsewhere && meets(a.others, b.others) ? 'swapped' : undefined
}

/** "From Dover to Calais" and "from Calais to Dover". */
export function arePlacesSwapped(wanted: Roles, stated: Roles): boolean {
  const of = (roles: Roles, word: string) => roles.places.get(word) ?? new Set<string>()
  const [from, to] = [of(wanted, 'from'), of(wanted, 'to')]
  const [otherFrom, otherTo] = [of(stated, 'from'), of(stated, 'to')]
  return (
    from.isDisjointFrom(otherFrom) &&
    to.isDisjointFrom(otherTo) &&
    from.intersection(otherTo).size > 0 &&
    to.intersection(otherFrom).size > 0
  )
}
