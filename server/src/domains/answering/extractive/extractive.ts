import type { Question } from '../question/index.ts'
import { type Candidate, type ContextEntry, rankPassages } from './ranking.ts'

export type { ContextEntry } from './ranking.ts'

/** `index` points into the context; `snippet` is verbatim from that chunk, `score` the chunk's. */
interface ExtractiveCitation {
  index: number
  snippet: string
  score: number
}

export interface ExtractiveAnswer {
  answer: string
  citations: ExtractiveCitation[]
}

/** The answer when the context holds nothing about the question. */
export const nothingFound = 'Nothing relevant to this question was found in the documents.'
const maxPassages = 3
/** A further passage must be at least this good, against the best. */
const goodEnough = 0.4
/** In characters; few sentences are longer. */
const maxPassageLength = 800
const maxListLength = 2000

/**
 * Answers a question with the passages of the context that fit it best, each followed by the marker of its chunk
 * (`[^0]`). Only words of the context come out; when it holds nothing about the question, the answer says so and
 * cites nothing.
 */
export function answerExtractively(question: Question, context: readonly ContextEntry[]): ExtractiveAnswer {
  const chosen = inReadingOrder(choose(rankPassages(question, context)))
  if (chosen.length === 0) return { answer: nothingFound, citations: [] }
  const citations = chosen.map(({ index, passage }) => ({
    index,
    snippet: passage.snippet,
    score: context[index]?.score ?? 0,
  }))
  return { answer: compose(chosen), citations }
}

/** The best passages, none of which repeats another. */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  const bestFirst = candidates.toSorted((a, b) => b.score - a.score || a.index - b.index || a.place - b.place)
  for (const candidate of bestFirst) {
    if (chosen.length === maxPassages || candidate.score < goodEnough) break
    if (!chosen.some((other) => repeats(candidate, other))) chosen.push(candidate)
  }
  return chosen
}

/** True when one says no term that the other does not say, or both say much the same. */
function repeats(a: Candidate, b: Candidate): boolean {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length
  const smaller = Math.min(a.terms.size, b.terms.size)
  return shared === smaller || shared >= 0.75 * (a.terms.size + b.terms.size - shared)
}

/** Passages of one chunk in their order there; chunks by their best passage. */
function inReadingOrder(chosen: readonly Candidate[]): Candidate[] {
  const rank = new Map<number, number>()
  for (const { index } of chosen) if (!rank.has(index)) rank.set(index, rank.size)
  return chosen.toSorted((a, b) => (rank.get(a.index) ?? 0) - (rank.get(b.index) ?? 0) || a.place - b.place)
}

/** Sentences run on; rows and items stand on lines of their own, their heading said once. */
function compose(chosen: readonly Candidate[]): string {
  const separator = chosen.every(({ passage }) => passage.kind === 'sentence') ? ' ' : '\n'
  return chosen.map((candidate, place) => render(candidate, chosen[place - 1])).join(separator)
}

function render({ passage, index }: Candidate, previous: Candidate | undefined): string {
  const { text, kind } = passage
  const lead = passage.lead.replace(/\s*:$/, '')
  const isIntroduced = kind === 'sentence' || lead === '' || passage.lead === previous?.passage.lead
  // A document's own "[^3]" must not pass for a citation.
  const said = (isIntroduced ? text : `${lead} – ${text}`).replace(/\s*\[\^\d*\]/g, '').trim()
  return `${kind === 'list' ? shortenList(said) : shorten(said)} [^${index}]`
}

/** Cuts a long list between two of its items. */
function shortenList(text: string): string {
  if (text.length <= maxListLength) return text
  return `${text.slice(0, text.lastIndexOf('\n', maxListLength))}\n- …`
}

/** Cuts what is no sentence any more (a line of data, minified code) at a word; the citation leads to the rest. */
function shorten(text: string): string {
  return text.length <= maxPassageLength
    ? text
    : `${text
        .slice(0, maxPassageLength)
        .replace(/\s+\S*$/, '')
        .toWellFormed()} …`
}
