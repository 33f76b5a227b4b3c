import { detectLanguage, isPair, tokenize } from '../../../lib/text.ts'
import { kindFit, type LocalizedQuestion, namesMatcher, type Question, TermSet } from '../question/index.ts'
import { type Passage, passagesOf } from './passages.ts'

/** A chunk that was found for a question; `score` is in 0..1. */
export interface ContextEntry {
  chunk_id: string
  chunk_text: string
  score: number
  filename: string
  /** Titles of the headings above the chunk, outermost first. */
  headings?: readonly string[] | undefined
}

/** A candidate passage for an answer; `score` is relative to the best one, 0..1. */
export interface Candidate {
  passage: Passage
  /** Index of the chunk in the context, and of the passage in the chunk. */
  index: number
  place: number
  terms: TermSet
  labelTerms: readonly string[]
  leadTerms: TermSet
  score: number
}

const leadWeight = 0.3
const labelBonus = 0.5
/** Similar things are described with the same words, so a passage with the name in the question is much better. */
const namedFactor = 5
/**
 * Factor for the table row of the thing in the question. A row has few words, because its column names are elsewhere.
 */
const namedRowFactor = 12
const firstCell = /^[^,;:|\t]{1,80}(?=[,;:|\t])/
/** Number of terms at which the overlap of a passage is halved. */
const longPassage = 60
/** Minimum fraction of the question's weight that is in the chunks of one file together. */
const minCoverage = 0.4
/** The minimum for pairs of characters, which include question words and pairs across two words. */
const minCoverageOfPairs = 0.25

/** Limit of passages per chunk. Ordinary chunks have far fewer, but an edited chunk may have thousands. */
const maxPassages = 300

function candidatesOf(
  context: readonly ContextEntry[],
  { language, asksForReason: withReasons }: LocalizedQuestion,
): Candidate[] {
  return context.flatMap((entry, index) =>
    passagesOf(entry.chunk_text, { headings: entry.headings, withReasons })
      .slice(0, maxPassages)
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
 * The passages of the context that match the question, in the order of the context. The question is parsed for the
 * language of the whole context. If nothing matches, the languages of the single chunks follow, because a chat may
 * have documents in several languages.
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
  const candidates = candidatesOf(context, question)
  const rarity = rarityOf(candidates, question)
  const bestScore = Math.max(...context.map((entry) => entry.score), 1e-9)
  const fits = fitByFile(question, context)
  const containsNames = namesMatcher(question.phrases)
  for (const candidate of candidates) {
    const entry = context[candidate.index]
    if (!entry) continue
    const fit = fits.get(entry.filename) ?? 0
    const isNamedRow = beginsWithName(candidate.passage.text, question, containsNames)
    candidate.score =
      passageScore(candidate, question, rarity, isNamedRow) *
      (isNamedRow ? namedRowFactor : nameFactor(candidate, question, containsNames)) *
      fit ** 2 *
      Math.sqrt(entry.score / bestScore)
  }
  const best = Math.max(...candidates.map((candidate) => candidate.score), 1e-9)
  return candidates
    .map((candidate) => ({ ...candidate, score: candidate.score / best }))
    .filter(({ score }) => score > 0)
}

/** Weight of each wanted term: its weight in the question times its idf among the passages. */
function rarityOf(candidates: readonly Candidate[], { wanted }: LocalizedQuestion): Map<string, number> {
  const total = candidates.length
  const rarity = new Map<string, number>()
  for (const [term, weight] of wanted) {
    const matches = candidates.filter(({ terms }) => terms.similarity(term) > 0).length
    rarity.set(term, weight * Math.log(1 + (total - matches + 0.5) / (matches + 0.5)))
  }
  return rarity
}

/**
 * Weighted overlap of a passage with the question; terms of its lead count less. The score is higher if the question
 * asks for the label of the passage, or if the passage has the kind of value that it asks for. It is very low if the
 * passage only repeats the question.
 */
function passageScore(
  candidate: Candidate,
  question: LocalizedQuestion,
  rarity: ReadonlyMap<string, number>,
  isNamedRow: boolean,
): number {
  const { terms, labelTerms, leadTerms, passage } = candidate
  const label = labelFit(labelTerms, question)
  const isAboutNamed = label > 1 || isNamedRow
  let overlap = 0
  for (const [term, weight] of rarity) {
    const nameFactor = isAboutNamed && question.names.has(term) ? 5 : 1
    overlap += nameFactor * weight * Math.max(terms.similarity(term), leadWeight * leadTerms.similarity(term))
  }
  // The length of a list does not count if the question asks for its title.
  const length = passage.kind === 'list' && label >= 1 ? labelTerms.length : terms.size
  const hasNewTerms = [...terms].some((term) => !question.terms.has(term) && !labelTerms.includes(term))
  const fit = 0.5 + kindFit(passage.text, question)
  return (overlap * (1 + labelBonus * label) * fit * (hasNewTerms ? 1 : 0.1)) / (1 + length / longPassage)
}

/** Whether the first one of several cells is exactly the name in the question. */
function beginsWithName(
  text: string,
  { names, language }: LocalizedQuestion,
  containsNames: (text: string) => boolean,
): boolean {
  const cell = firstCell.exec(text)?.[0] ?? ''
  return containsNames(cell) && tokenize(cell, language).every((term) => names.has(term))
}

/**
 * Factor for a passage that contains, together with its lead, all names of the question as a whole, and another
 * wanted term.
 */
function nameFactor(
  { terms, passage: { text, lead } }: Candidate,
  { wanted, names }: LocalizedQuestion,
  containsNames: (text: string) => boolean,
): number {
  const isWanted = [...wanted.keys()].some((term) => !names.has(term) && terms.similarity(term) > 0)
  return isWanted && containsNames(`${lead}\n${text}`) ? namedFactor : 1
}

/** How well a label matches the focus of the question, 0..1; 2 if the label is a name in the question. */
function labelFit(labelTerms: readonly string[], { focus, names }: LocalizedQuestion): number {
  if (labelTerms.length === 0) return 0
  if (labelTerms.every((term) => names.has(term))) return 2
  return labelTerms.filter((term) => focus.similarity(term) > 0).length / labelTerms.length
}

/**
 * How well each file matches the question, relative to the best one, 0..1. The measure is the fraction of the
 * question's terms that the file's chunks contain together; names count double. Below a minimum it is 0, because such
 * files only have some words in common with the question.
 */
function fitByFile(
  { terms, names, language }: LocalizedQuestion,
  context: readonly ContextEntry[],
): Map<string, number> {
  const termsByFile = new Map<string, Set<string>>()
  for (const { filename, chunk_text } of context) {
    const fileTerms = termsByFile.get(filename) ?? new Set(tokenize(filename, language))
    for (const term of tokenize(chunk_text, language)) fileTerms.add(term)
    termsByFile.set(filename, fileTerms)
  }
  const weigh = (list: readonly string[]) => list.reduce((sum, term) => sum + (names.has(term) ? 2 : 1), 0)
  const whole = weigh([...terms]) || 1
  const coverages = [...termsByFile].map(
    ([file, fileTerms]) => [file, weigh([...terms].filter((term) => fileTerms.has(term))) / whole] as const,
  )
  const best = Math.max(...coverages.map(([, coverage]) => coverage))
  const pairs = [...terms].filter(isPair).length
  const needed = pairs > terms.size / 2 ? minCoverageOfPairs : minCoverage
  return new Map(coverages.map(([file, coverage]) => [file, coverage < needed ? 0 : coverage / best]))
}
