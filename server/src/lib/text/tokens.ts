import { type Language, stemOf, stopWordsOf } from './languages.ts'
import { normalized } from './normalized.ts'

/** Scripts without spaces between words; their runs become overlapping pairs of characters. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'

/**
 * Matches numbers with separators (2,319.5) and words. Parts joined by `_`, or by `-`, `.` or `/` in codes with a digit
 * (PA-22-150, v1.2.3), stay together and are split later. The ASCII form is equivalent and three times as fast.
 */
const rawToken =
  /\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?(?![\p{L}\p{N}_-])|[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:[-./](?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}_]+)*/gu
const rawAsciiToken = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w-])|\w+(?:[-./](?=[A-Za-z0-9])\w+)*/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range means "ASCII only"
const onlyAscii = /^[\x00-\x7f]*$/

const plainWord = /^[a-z]+$/
const unspacedRun = new RegExp(`[${unspaced}]+`, 'u')
const unspacedOrOther = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu')

/** Pieces of an identifier: numbers, ALLCAPS before a Capital, Capitalised, lower, and scripts without case. */
const identifierPiece =
  /\p{N}+|\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}/gu

const maxCached = 50_000
const maxTokenLength = 64
/** At most `maxCached` entries over all languages; an entry takes 0.4 KB. */
const termsOfToken = new Map<Language, Map<string, readonly string[]>>()
let cached = 0

/**
 * The search terms of a text, in order, with repetitions: lower-case words without accents, with compatibility forms
 * folded (NFKC), stemmed in the language (Snowball; English: Porter), without its stop words.
 *
 * An identifier or code gives its parts and the whole without separators: `both_require` -> both, requir,
 * bothrequire; `PA-22-150` -> pa, 22, 150, pa22150. Thousands separators are removed: 2,319 -> 2319. Scripts without
 * spaces give pairs of characters.
 */
export function tokenize(text: string, language: Language = 'english'): string[] {
  const known = cacheOf(language)
  const terms: string[] = []
  for (const raw of rawTokens(text, language)) {
    for (const term of known.get(raw) ?? remember(raw, language, known)) terms.push(term)
  }
  return terms
}

/** Whether a term is a pair of characters of a script without spaces. */
export function isPair(term: string): boolean {
  return unspacedRun.test(term)
}

export function isStopWord(word: string): boolean {
  return stopWordsOf('english').has(word)
}

/**
 * The stem of a lower-case English word: Porter, "An algorithm for suffix stripping", Program 14(3), 1980, in the
 * version of the package. Other words are returned unchanged.
 */
export function stem(word: string): string {
  return plainWord.test(word) ? stemOf('english')(word) : word
}

/** English words lose their accents here. Words of other languages lose them after stemming, which may need accents. */
function rawTokens(text: string, language: Language): readonly string[] {
  if (onlyAscii.test(text)) return text.match(rawAsciiToken) ?? []
  const even = text.replace(/[‘’ʼ]/g, "'")
  return (language === 'english' ? withoutAccents(even) : normalized(even, 'NFKC')).match(rawToken) ?? []
}

function withoutAccents(text: string): string {
  return normalized(text, 'NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
}

function cacheOf(language: Language): Map<string, readonly string[]> {
  const known = termsOfToken.get(language)
  if (known) return known
  const cache = new Map<string, readonly string[]>()
  termsOfToken.set(language, cache)
  return cache
}

function remember(raw: string, language: Language, known: Map<string, readonly string[]>): readonly string[] {
  const terms = analyse(raw.slice(0, maxTokenLength), language)
  if (raw.length > maxTokenLength) return terms
  if (cached >= maxCached) {
    for (const terms of termsOfToken.values()) terms.clear()
    cached = 0
  }
  cached += 1
  // A slice would keep the whole text in memory; a copy does not.
  known.set(Buffer.from(raw).toString(), terms)
  return terms
}

function analyse(raw: string, language: Language): string[] {
  if (plainWord.test(raw)) return wordTerms(raw, language)
  if (unspacedRun.test(raw)) {
    return (raw.match(unspacedOrOther) ?? []).flatMap((run) =>
      unspacedRun.test(run) ? pairs(withoutAccents(run)) : analyse(run, language),
    )
  }
  if (/^\p{N}[\p{N},]*(?:\.\p{N}+)?$/u.test(raw)) return [raw.replaceAll(',', '')]
  if (/[-./]/.test(raw)) return compoundTerms(raw, language)
  return identifierTerms(raw, language)
}

/** Hyphenated words are separate words. With a digit they are a code, which is also kept as a whole. */
function compoundTerms(raw: string, language: Language): string[] {
  const pieces = raw.split(/[-./]/)
  const terms = pieces.flatMap((piece) => analyse(piece, language))
  return /\p{N}/u.test(raw) && pieces.length <= 6 ? [...terms, squash(raw)] : terms
}

function identifierTerms(raw: string, language: Language): string[] {
  const pieces = raw.match(identifierPiece) ?? []
  if (pieces.length < 2) return pieces.flatMap((piece) => wordTerms(piece.toLowerCase(), language))
  const whole = squash(raw)
  return [...pieces.flatMap((piece) => wordTerms(piece.toLowerCase(), language)), stem(whole)]
}

function squash(raw: string): string {
  return raw.replace(/[-./_]/g, '').toLowerCase()
}

function wordTerms(word: string, language: Language): string[] {
  if (stopWordsOf(language).has(word)) return []
  // The English stemmer knows Latin letters only.
  return [language === 'english' ? stem(word) : withoutAccents(stemOf(language)(word))]
}

function pairs(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
