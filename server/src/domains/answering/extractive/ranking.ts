import { detectLanguage, isPair, type Language, tokenize } from '../../../lib/text.ts'
import { kindFit, type LocalizedQuestion, namesMatcher, type Question, TermSet } from '../question/index.ts'
import { type Passage, passagesOf } from './passages.ts'

/** A chunk found for the question; `score` in 0..1, higher is better. */
export interface ContextEntry {
  chunk_id: string
  chunk_text: string
  score: number
  filename: string
}

/** A passage that may go into an answer; `score` is against the best one, 0..1. */
export interface Candidate {
  passage: Passage
  /** Index into the context, and place in the chunk. */
  index: number
  place: number
  terms: TermSet
  labelTerms: readonly string[]
  leadTerms: TermSet
  score: number
}

const leadWeight = 0.3
const labelBonus = 0.5
/** Things that are alike are told about in the same words: a passage that names the one asked for is worth far more. */
const namedFactor = 5
/** A row says little in words: what its columns are stands elsewhere. */
const ownRowFactor = 12
const firstCell = /^[^,;:|\t]{1,80}(?=[,;:|\t])/
/** Terms at which a passage's overlap counts half. */
const longPassage = 60
/** Share of the question's weight that the chunks of one file must hold together. */
const minCoverage = 0.4
/** The same for pairs of characters: question words, and pairs that reach over two words, are among them. */
const minCoverageOfPairs = 0.25

/** A chunk that is cut from a document has far fewer; one that was edited may have thousands. */
const mostPassages = 300

function candidatesOf(context: readonly ContextEntry[], language: Language): Candidate[] {
  return context.flatMap((entry, index) =>
    passagesOf(entry.chunk_text)
      .slice(0, mostPassages)
      .map((passage, place) => ({
        passage,
        index,
        place,
        terms: new TermSet(tokenize(passage.text, language)),
        labelTerms: tokenize(passage.label, language),
        leadTerms: new TermSet(tokenize(passage.lead, language)),
        score: 0,
      })),
  )
}

/**
 * The passages of the context that have something to do with the question, in the order of the context. The question is
 * read in the language of the context as a whole; when that finds nothing, in those of its chunks, the best first:
 * documents of several languages may be in one chat.
 */
export function rankPassages(question: Question, context: readonly ContextEntry[]): Candidate[] {
  const texts = context.map(({ chunk_text }) => chunk_text)
  const languages = new Set([texts.join('\n'), ...texts].map(detectLanguage))
  for (const language of languages) {
    const ranked = rankFor(question.in(language), context)
    if (ranked.length > 0) return ranked
  }
  return []
}

function rankFor(question: LocalizedQuestion, context: readonly ContextEntry[]): Candidate[] {
  const candidates = candidatesOf(context, question.language)
  const rarity = rarityOf(candidates, question)
  const bestScore = Math.max(...context.map((entry) => entry.score), 1e-9)
  const fits = fitByFile(question, context)
  const saysNames = namesMatcher(question.phrases)
  for (const candidate of candidates) {
    const entry = context[candidate.index]
    if (!entry) continue
    const fit = fits.get(entry.filename) ?? 0
    // The columns of a row that is the thing's own may be named elsewhere.
    const isOwnRow = beginsWithName(candidate.passage.text, question, saysNames)
    candidate.score =
      passageScore(candidate, question, rarity, isOwnRow) *
      (isOwnRow ? ownRowFactor : nameFactor(candidate, question, saysNames)) *
      fit ** 2 *
      Math.sqrt(entry.score / bestScore)
  }
  const best = Math.max(...candidates.map((candidate) => candidate.score), 1e-9)
  return candidates
    .map((candidate) => ({ ...candidate, score: candidate.score / best }))
    .filter(({ score }) => score > 0)
}

/** Weight of each wanted term: rare among the passages counts more. */
function rarityOf(candidates: readonly Candidate[], { wanted }: LocalizedQuestion): Map<string, number> {
  const total = candidates.length
  const rarity = new Map<string, number>()
  for (const [term, weight] of wanted) {
    const holders = candidates.filter(({ terms }) => terms.holds(term) > 0).length
    rarity.set(term, weight * Math.log(1 + (total - holders + 0.5) / (holders + 0.5)))
  }
  return rarity
}

/**
 * Weighted overlap with the question, the words above the passage counting less; raised when its label is what is
 * asked for and when it holds the kind of thing asked for, next to nothing when it only repeats the question.
 */
function passageScore(
  candidate: Candidate,
  question: LocalizedQuestion,
  rarity: ReadonlyMap<string, number>,
  isOwnRow: boolean,
): number {
  const { terms, labelTerms, leadTerms, passage } = candidate
  const label = labelFit(labelTerms, question)
  const isAboutNamed = label > 1 || isOwnRow
  let overlap = 0
  for (const [term, weight] of rarity) {
    const nameFactor = isAboutNamed && question.names.has(term) ? 5 : 1
    overlap += nameFactor * weight * Math.max(terms.holds(term), leadWeight * leadTerms.holds(term))
  }
  // A list that is asked for by its title is wanted whole, however long.
  const length = passage.kind === 'list' && label >= 1 ? labelTerms.length : terms.size
  const saysMore = [...terms].some((term) => !question.terms.has(term) && !labelTerms.includes(term))
  const fit = 0.5 + kindFit(passage.text, question)
  return (overlap * (1 + labelBonus * label) * fit * (saysMore ? 1 : 0.1)) / (1 + length / longPassage)
}

/** Whether the first of several cells is the name of the question and nothing else. */
function beginsWithName(
  text: string,
  { names, language }: LocalizedQuestion,
  saysNames: (text: string) => boolean,
): boolean {
  const cell = firstCell.exec(text)?.[0] ?? ''
  return saysNames(cell) && tokenize(cell, language).every((term) => names.has(term))
}

/**
 * Raised when the passage, with what stands above it, says the question's names whole, and something of what is asked.
 */
function nameFactor(
  { terms, passage: { text, lead } }: Candidate,
  { wanted, names }: LocalizedQuestion,
  saysNames: (text: string) => boolean,
): number {
  const isAsked = [...wanted.keys()].some((term) => !names.has(term) && terms.holds(term) > 0)
  return isAsked && saysNames(`${lead}\n${text}`) ? namedFactor : 1
}

/** How much a label is what is asked for, 0..1, or 2 when it is the thing the question names. */
function labelFit(labelTerms: readonly string[], { focus, names }: LocalizedQuestion): number {
  if (labelTerms.length === 0) return 0
  if (labelTerms.every((term) => names.has(term))) return 2
  return labelTerms.filter((term) => focus.holds(term) > 0).length / labelTerms.length
}

/**
 * How well each file fits the question against the best one, 0..1, by the share of its terms that the file's chunks
 * hold together; names count double. 0 when that share is small: then there are only words in common.
 */
function fitByFile(
  { terms, names, language }: LocalizedQuestion,
  context: readonly ContextEntry[],
): Map<string, number> {
  const held = new Map<string, Set<string>>()
  for (const { filename, chunk_text } of context) {
    const here = held.get(filename) ?? new Set(tokenize(filename, language))
    for (const term of tokenize(chunk_text, language)) here.add(term)
    held.set(filename, here)
  }
  const weigh = (list: readonly string[]) => list.reduce((sum, term) => sum + (names.has(term) ? 2 : 1), 0)
  const whole = weigh([...terms]) || 1
  const shares = [...held].map(
    ([file, here]) => [file, weigh([...terms].filter((term) => here.has(term))) / whole] as const,
  )
  const best = Math.max(...shares.map(([, share]) => share))
  const pairs = [...terms].filter(isPair).length
  const needed = pairs > terms.size / 2 ? minCoverageOfPairs : minCoverage
  return new Map(shares.map(([file, share]) => [file, share < needed ? 0 : share / best]))
}
