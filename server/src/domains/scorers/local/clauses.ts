import { detectLanguage, isStopWord, type Language, tokenize } from '../../../lib/text.ts'
import { phrases } from './lexicon.data.ts'
import { baseStem, type Meaning, meaningOf } from './lexicon.ts'
import { digitsForWords } from './numbers.ts'

/** A content word, in the form that scorers compare. */
export interface Word extends Meaning {
  /** Lower case, as written. */
  text: string
  /** Written like a name: capitalised, but not at the start of a sentence. */
  isName: boolean
  isCapital: boolean
  /** The number of the word in its clause. */
  place: number
}

/** A part of a sentence between punctuation marks. */
export interface Clause {
  words: readonly Word[]
  /** The clause has an odd number of negations (not, never, nobody …). */
  isNegated: boolean
}

export interface Parsed {
  clauses: readonly Clause[]
  /** The words of all clauses. */
  words: readonly Word[]
  /** The verdict of a text that begins with yes, no, true or false. */
  verdict: 1 | -1 | undefined
}

const negator =
  /^(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|cannot|without|hardly|lack|lacks|nicht|kein|keine|keinen|nie|jamais|nunca|pas)$/
const yes = /^(?:yes|yeah|yep|true|correct|indeed|ja|oui|si|sí)$/
const no = /^(?:no|nope|false|incorrect|wrong|nein|non)$/
const prefix = /^(?:un|in|im|il|ir|dis|non|mis)-?(?=[a-z]{4})/

/** Words, besides function words, that are too common to distinguish answers. */
const empty = new Set(
  'dr mr mrs ms prof professor sir yes yeah ok okay also just very really quite answer question fact actually please thing way however about'.split(
    ' ',
  ),
)

const expressions = phrases.map(([pattern, word]) => [new RegExp(pattern, 'gi'), word] as const)

/** "No more than 20" is not a negation; quantities keep these bounds. */
const boundWords =
  /\b(?:no|not) (?:more|less|fewer|later|longer|over) than\s(?=\S*\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety)\b)|\b(?:more|less|fewer) than\s(?=\S*\d)|\bup to\s(?=\S*\d)/gi

/** Lower case, with contractions and expressions written out. Positions of letters change. */
function normalise(text: string): string {
  let even = text
    .normalize('NFKC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(boundWords, '')
    .replace(/\bcan't|\bcannot/gi, 'can not')
    .replace(/\bwon't/gi, 'will not')
    .replace(/n't\b/gi, ' not')
    .replace(/'(?:s|re|ve|ll|d|m)\b/gi, '')
  for (const [pattern, word] of expressions) even = even.replace(pattern, word)
  return digitsForWords(even)
}

/**
 * The words of a text by clause. `others` are words of the texts to compare with: `unsafe` is read as a negation of
 * `safe` only if they contain `safe`.
 */
export function parse(
  text: string,
  others: ReadonlySet<string> = new Set(),
  language: Language = detectLanguage(text),
): Parsed {
  const even = normalise(text)
  const parts = even.split(/(?<=[.!?;:])\s+|\n+|,\s+|\s[–—-]\s/)
  const clauses = parts
    .map((part) => parseClause(part, others, language))
    .filter((clause) => clause !== undefined)
  return { clauses, words: clauses.flatMap(({ words }) => words), verdict: verdictOf(even) }
}

/** Stems of all words, as `others` for `parse` of another text. */
export function stemsOf(...texts: readonly string[]): Set<string> {
  const words = texts.flatMap(
    (text) =>
      normalise(text)
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [],
  )
  return new Set(words.map(baseStem))
}

function verdictOf(text: string): 1 | -1 | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const [first = ''] = words
  // "No dogs may enter" does not answer a yes/no question.
  const isMarked = words.length === 1 || /^\P{L}*\p{L}+\s*[,.;:!–—-]/u.test(text)
  if (isMarked && yes.test(first)) return 1
  if (isMarked && no.test(first)) return -1
  const last = words.length <= 5 ? words.find((word) => /^(?:true|false)$/.test(word)) : undefined
  return last === undefined ? undefined : last === 'true' ? 1 : -1
}

function parseClause(part: string, others: ReadonlySet<string>, language: Language): Clause | undefined {
  const raw = part.match(/\p{L}[\p{L}\p{M}\p{N}]*/gu) ?? []
  if (raw.length === 1 && (yes.test(raw[0]?.toLowerCase() ?? '') || no.test(raw[0]?.toLowerCase() ?? '')))
    return undefined
  let isNegated = false
  const words: Word[] = []
  for (const [index, form] of raw.entries()) {
    const text = form.toLowerCase()
    if (negator.test(text)) isNegated = !isNegated
    const isAcronym = /^\p{Lu}{2,6}$/u.test(form) && part !== part.toUpperCase() && isStopWord(text)
    const word = isAcronym
      ? ({ concept: text, sign: 1, denies: false } as const)
      : language === 'english'
        ? toWord(text, others)
        : toForeignWord(text, language)
    if (word)
      words.push({
        ...word,
        text,
        isName: /^\p{Lu}/u.test(form) && (index > 0 || raw.length <= 3),
        isCapital: /^\p{Lu}/u.test(form),
        place: index,
      })
  }
  return words.length > 0 || isNegated ? { words, isNegated } : undefined
}

/** The lexicon is English: the German article "die" does not deny. */
function toForeignWord(text: string, language: Language): Meaning | undefined {
  if (negator.test(text) || empty.has(text) || text.length < 2) return undefined
  const [term] = tokenize(text, language)
  return term === undefined ? undefined : { concept: term, sign: 1, denies: false }
}

function toWord(text: string, others: ReadonlySet<string>): Meaning | undefined {
  const known = meaningOf(text)
  if (known) return known.concept === '=always' && known.sign < 0 ? undefined : known
  if (isStopWord(text) || empty.has(text) || negator.test(text) || text.length < 2) return undefined
  const root = text.replace(prefix, '').replace(/(?<=[a-z]{3})less$/, '')
  if (root !== text && others.has(baseStem(root))) {
    const { concept, sign } = meaningOf(root) ?? { concept: baseStem(root), sign: 1 }
    return { concept, sign: sign > 0 ? -1 : 1, denies: true }
  }
  return { concept: baseStem(text), sign: 1, denies: false }
}
