import { type Language, tokenize } from '../../../lib/text.ts'
import { withoutQuestionWords } from './question-words.ts'
import { synonyms } from './synonyms.ts'
import { TermSet } from './term-set.ts'
import { type AnswerKind, type Wording, wordings } from './wordings.ts'

/** A question for documents of one language. Terms are stems of `tokenize`. */
export interface LocalizedQuestion {
  /** The language of the stems. */
  language: Language
  kind: AnswerKind
  /** Whether it asks why, in any of a few languages. */
  asksForReason: boolean
  /** Weight by term: highest for the focus of the main clause, lowest for names. */
  wanted: ReadonlyMap<string, number>
  /** The terms that the question asks for: the first ones of the main clause, and the hints of its wording. */
  focus: TermSet
  /** Names and codes. They identify the thing that the question is about, but usually not the wanted fact. */
  names: ReadonlySet<string>
  /** Names of one or more words, in the spelling of the question. */
  phrases: readonly string[]
  /** All terms of the question. */
  terms: ReadonlySet<string>
}

const weights = { focus: 1.5, mainClause: 1, otherClause: 0.5, hint: 0.3, synonym: 0.5, name: 0.15 }
const focusLength = 3
const why = /(?<!\p{L})(?:why|how come|warum|wieso|weshalb|pourquoi|por qué|perché|waarom)(?!\p{L})/iu
const questionWord = /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i
const yesOrNo = /^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b/i
/** Words and punctuation after which a question usually only identifies its thing. */
const clauseEnd = /[,;]|\b(?:when|while|after|before|that|who|which|where|because|if|according)\b/i

/** Maximum characters of a question that are parsed; a longer question contains a pasted text. */
const maxParsedLength = 4_000
/** Maximum distinct terms of a question, and terms of its main clause. Each is looked up in each passage of the context. */
const maxTerms = 200

/** A question, which is parsed once per language of the documents. */
export class Question {
  readonly text: string
  readonly #localized = new Map<Language, LocalizedQuestion>()

  constructor(text: string) {
    this.text = text
  }

  in(language: Language): LocalizedQuestion {
    const known = this.#localized.get(language)
    if (known) return known
    const parsed = parse(this.text.slice(0, maxParsedLength), language)
    this.#localized.set(language, parsed)
    return parsed
  }
}

/**
 * Parses a question by its wording. Questions in other languages than English have the kind `any`. Terms are stemmed
 * for the language of the documents.
 */
function parse(text: string, language: Language): LocalizedQuestion {
  const wording = wordingOf(text.toLowerCase())
  const names = namesIn(text, language)
  const main = mainTerms(mainClause(text), language)
    .filter((term) => !names.has(term))
    .slice(0, maxTerms)
  const hints = tokenize(wording?.hints ?? '')
  const hintWeight = wording?.isExact ? weights.mainClause : weights.hint
  const terms = firstTerms(tokenize(withoutQuestionWords(text, language), language))
  const wanted = new Map<string, number>(hints.map((hint) => [hint, hintWeight]))
  for (const term of terms) wanted.set(term, names.has(term) ? weights.name : weights.otherClause)
  for (const [place, term] of main.entries()) {
    wanted.set(term, place < focusLength ? weights.focus : weights.mainClause)
  }
  addSynonyms(wanted, names)
  const focus = new TermSet([...main.slice(0, focusLength), ...hints])
  const phrases = language === 'german' ? [] : phrasesIn(text)
  const asksForReason = wording?.kind === 'reason' || why.test(text)
  return { language, kind: wording?.kind ?? 'any', asksForReason, wanted, focus, names, phrases, terms }
}

function firstTerms(terms: readonly string[]): Set<string> {
  return new Set([...new Set(terms)].slice(0, maxTerms))
}

/** The wording at the first question word; later question words belong to other clauses. */
function wordingOf(text: string): Wording | undefined {
  const start = startOfMain(text)
  return wordings.find(({ pattern }) => start >= 0 && text.search(pattern) === start)
}

function addSynonyms(wanted: Map<string, number>, names: ReadonlySet<string>): void {
  for (const [term, weight] of [...wanted]) {
    if (names.has(term)) continue
    for (const other of synonyms(term))
      wanted.set(other, Math.max(wanted.get(other) ?? 0, weight * weights.synonym))
  }
}

/**
 * The text after the question word (in a yes-or-no question: after the first word) up to the next clause. Without a
 * question word, the whole text.
 */
function mainClause(text: string): string {
  const start = startOfMain(text)
  if (start < 0) return text
  const rest = text.slice(start).trimStart().replace(/^\w+/, '')
  const end = rest.search(clauseEnd)
  return end < 0 ? rest : rest.slice(0, end)
}

function startOfMain(text: string): number {
  return yesOrNo.test(text) ? 0 : text.search(questionWord)
}

/** Terms of a clause, without words that belong to a name ("the old Berlin office"), except the first term. */
function mainTerms(clause: string, language: Language): string[] {
  const words = clause.split(/\s+/)
  const terms: string[] = []
  for (const [index, word] of words.entries()) {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    const followsName = isName(before) && !/[,;]$/.test(before)
    const leadsToName = /^(?:the|a|an)$/i.test(before) && isName(after)
    if (terms.length === 0 || !(followsName || leadsToName)) terms.push(...tokenize(word, language))
  }
  return terms
}

/** Terms of words with a digit, and of capitalized words except the first one. German capitalizes every noun. */
function namesIn(text: string, language: Language): Set<string> {
  const isNamed = (word: string, index: number) => index > 0 && language !== 'german' && isName(word)
  const names = text.split(/\s+/).filter((word, index) => /\d/.test(word) || isNamed(word, index))
  return new Set(names.flatMap((name) => tokenize(name, language)))
}

/**
 * Names in a text: runs of capitalized words or words with digits. Returns nothing if all names have a single word
 * (an abbreviation, a country), because such words may be in every chunk of a document. The first word of the text is
 * not part of a name; punctuation ends a name.
 */
export function phrasesIn(text: string): string[] {
  const phrases: string[][] = [[]]
  for (const [index, word] of text.trim().slice(0, maxNameSearchLength).split(/\s+/).entries()) {
    if (index > 0 && isName(word)) phrases.at(-1)?.push(word.replace(aroundName, ''))
    if (index === 0 || !isName(word) || /[,;:?!.]$/.test(word)) phrases.push([])
  }
  const isSpecific = phrases.some((words) => words.length > 1)
  if (!isSpecific) return []
  const named = phrases.filter((words) => words.length > 0).map((words) => words.join(' '))
  // Each name becomes a regular expression, so names have a maximum length.
  return named.filter(({ length }) => length <= maxPhraseLength).slice(0, maxPhrases)
}

function isName(word: string): boolean {
  return /\d|^["'“(]*\p{Lu}/u.test(word)
}

const maxPhrases = 8
/** Punctuation around a name. The lookbehind finds only whole runs; otherwise a long run takes quadratic time. */
const aroundName = /^["'“(]+|(?<!["'”),;:?!.])["'”),;:?!.]+$|['’]s$/gu
const maxPhraseLength = 200
/** Maximum characters that are searched for names; a longer question contains a pasted text. */
const maxNameSearchLength = 4_000

const digit = /\d/
const timeLike =
  /\b\d{1,2}:\d{2}\b|\b\d{3,4}\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i
const reasonLike =
  /\b(?:because|due to|caus\w+|reason|result\w*|therefore|failure|led to|owing to|since|so that)\b/i
const capitalised = /^["'“(]*\p{Lu}[\p{L}'’.-]*/u

/**
 * How well a passage contains a value of the kind that the question asks for, 0..1. Names in the question do not
 * count.
 */
export function kindFit(passage: string, question: LocalizedQuestion): number {
  switch (question.kind) {
    case 'number':
      return digit.test(passage) ? 1 : 0
    case 'time':
      return timeLike.test(passage) ? 1 : 0
    case 'reason':
      return reasonLike.test(passage) ? 1 : 0
    case 'person':
    case 'place':
      return nameFraction(passage, question)
    case 'any':
      return 0.5
  }
}

/** Fraction of capitalized words that are not in the question; a label at the beginning does not count. */
function nameFraction(passage: string, { terms, language }: LocalizedQuestion): number {
  const words = passage.split(/\s+/)
  const labelEnd = words.findIndex((word) => word.endsWith(':')) + 1
  const value = words.slice(Math.max(1, labelEnd))
  const names = value.filter(
    (word) => capitalised.test(word) && !tokenize(word, language).every((term) => terms.has(term)),
  )
  return names.length / (value.length || 1)
}
