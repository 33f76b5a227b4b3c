import type { Candidate, ContextEntry } from './ranking.ts'

export type { ContextEntry } from './ranking.ts'

/** `index` points into the context; `snippet` is verbatim text of this chunk, and `score` its score. */
interface ExtractiveCitation {
  index: number
  snippet: string
  score: number
}

export interface ExtractiveAnswer {
  answer: string
  citations: ExtractiveCitation[]
}

/** The answer if the context contains nothing about the question. */
export const nothingFound = 'Nothing relevant to this question was found in the documents.'
const maxPassages = 3
/** Minimum score of further passages, relative to the best one. */
const minScore = 0.4
/** In characters; few sentences are longer. */
const maxPassageLength = 800
const maxListLength = 2000

/**
 * Answers a question with the best of its ranked passages, each followed by the marker of its chunk (`[^0]`). The
 * answer only has words of the context. If no passage matches the question, the answer is `nothingFound`, without
 * citations.
 */
export function answerExtractively(
  passages: readonly Candidate[],
  context: readonly ContextEntry[],
): ExtractiveAnswer {
  const chosen = inReadingOrder(choose(passages))
  if (chosen.length === 0) return { answer: nothingFound, citations: [] }
  const citations = chosen.map(({ index, passage }) => ({
    index,
    snippet: passage.snippet,
    score: context[index]?.score ?? 0,
  }))
  return { answer: compose(chosen), citations }
}

/** The best passages, without repetitions. */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  const bestFirst = candidates.toSorted((a, b) => b.score - a.score || a.index - b.index || a.place - b.place)
  for (const candidate of bestFirst) {
    if (chosen.length === maxPassages || candidate.score < minScore) break
    if (!chosen.some((other) => repeats(candidate, other))) chosen.push(candidate)
  }
  return chosen
}

/** True if all terms of one passage are in the other one, or at least 75 % of all their terms are in both. */
function repeats(a: Candidate, b: Candidate): boolean {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length
  const smaller = Math.min(a.terms.size, b.terms.size)
  return shared === smaller || shared >= 0.75 * (a.terms.size + b.terms.size - shared)
}

/** Sorts chunks by their best passage, and passages of a chunk by their position. */
function inReadingOrder(chosen: readonly Candidate[]): Candidate[] {
  const rank = new Map<number, number>()
  for (const { index } of chosen) if (!rank.has(index)) rank.set(index, rank.size)
  return chosen.toSorted((a, b) => (rank.get(a.index) ?? 0) - (rank.get(b.index) ?? 0) || a.place - b.place)
}

/** Joins the passages: sentences with spaces, otherwise one line each. A repeated heading is written once. */
function compose(chosen: readonly Candidate[]): string {
  const separator = chosen.every(({ passage }) => passage.kind === 'sentence') ? ' ' : '\n'
  return chosen.map((candidate, place) => render(candidate, chosen[place - 1])).join(separator)
}

function render({ passage, index }: Candidate, previous: Candidate | undefined): string {
  const { text, kind } = passage
  const lead = passage.lead.replace(/\s*:$/, '')
  const isIntroduced = kind === 'sentence' || lead === '' || passage.lead === previous?.passage.lead
  // A marker like "[^3]" in the document must not look like a citation.
  const content = (isIntroduced ? text : `${lead} – ${text}`).replace(/\s*\[\^\d*\]/g, '').trim()
  return `${kind === 'list' ? shortenList(content) : shorten(content)} [^${index}]`
}

/** Cuts a long list between two of its items. */
function shortenList(text: string): string {
  if (text.length <= maxListLength) return text
  return `${text.slice(0, text.lastIndexOf('\n', maxListLength))}\n- …`
}

/** Cuts a long passage (a line of data, minified code) at a word; the citation has the full text. */
function shorten(text: string): string {
  return text.length <= maxPassageLength
    ? text
    : `${text
        .slice(0, maxPassageLength)
        .replace(/\s+\S*$/, '')
        .toWellFormed()} …`
}
