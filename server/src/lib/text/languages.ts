import { createRequire } from 'node:module'
import { stemmer } from '@orama/stemmers/english'
import { normalized } from './normalized.ts'
import { stopWords } from './stop-words.ts'

/** Languages with a stemmer. Scripts without spaces need no stemmer; their texts are tokenized like any other text. */
const languages = [
  'english',
  'arabic',
  'danish',
  'dutch',
  'finnish',
  'french',
  'german',
  'greek',
  'hungarian',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'turkish',
  'ukrainian',
] as const

export type Language = (typeof languages)[number]

/** The stem of a lower-case word (Snowball). */
type Stem = (word: string) => string

const require = createRequire(import.meta.url)
const stems = new Map<Language, Stem>([['english', stemmer]])
const functionWords = new Map<Language, ReadonlySet<string>>([['english', stopWords]])

/** All stemmers together take 8 MB, so each is loaded with the first document in its language. */
export function stemOf(language: Language): Stem {
  const known = stems.get(language)
  if (known) return known
  const loaded = require(`@orama/stemmers/${language}`) as { stemmer: Stem }
  stems.set(language, loaded.stemmer)
  return loaded.stemmer
}

/** Function words of a language, lower case, with their accents. */
export function stopWordsOf(language: Language): ReadonlySet<string> {
  const known = functionWords.get(language)
  if (known) return known
  const loaded = require(`@orama/stopwords/${language}`) as { stopwords: string[] }
  const words = new Set(loaded.stopwords)
  functionWords.set(language, words)
  return words
}

const sampleLength = 20_000
const latinLetter = /\p{Script=Latin}/u
const word = /\p{L}[\p{L}\p{M}'’]*/gu
/** Scripts that identify a language that has a stemmer. */
const scripts: readonly [letters: RegExp, language: Language][] = [
  [/\p{Script=Arabic}/u, 'arabic'],
  [/\p{Script=Greek}/u, 'greek'],
  [/[іїєґ]/u, 'ukrainian'],
  [/\p{Script=Cyrillic}/u, 'russian'],
]
/** Minimum share of function words. Prose has about twice as many; lists, code and tables have hardly any. */
const leastShare = 0.15
/** Minimum number of different function words, and minimum lead over English, because short words mean little. */
const leastDifferent = 3
const overEnglish = 1.3

/** Each function word with its languages; built on first use. */
let owners: ReadonlyMap<string, readonly Language[]> | undefined

/**
 * The language of a text, by its script or its function words. A function word of several languages counts less for
 * each of them. English if there is too little evidence, as in code, tables and scripts without spaces.
 */
export function detectLanguage(text: string): Language {
  const words = normalized(text.slice(0, sampleLength).toLowerCase(), 'NFC').match(word) ?? []
  const latin = words.filter((each) => latinLetter.test(each))
  if (latin.length < words.length / 2) {
    const others = words.join(' ')
    return scripts.find(([letters]) => letters.test(others))?.[1] ?? 'english'
  }
  const weight = new Map<Language, number>()
  const found = new Map<Language, string[]>()
  for (const each of latin) {
    const having = languagesOf(each)
    for (const language of having) {
      weight.set(language, (weight.get(language) ?? 0) + 1 / having.length)
      const list = found.get(language)
      if (list) list.push(each)
      else found.set(language, [each])
    }
  }
  const [best] = [...weight].sort(([, a], [, b]) => b - a)[0] ?? ['english' as const]
  const own = found.get(best) ?? []
  const isSure =
    own.length >= leastShare * latin.length &&
    own.length >= overEnglish * (found.get('english')?.length ?? 0) &&
    new Set(own).size >= leastDifferent
  return isSure ? best : 'english'
}

/** The languages with this function word. Single letters are excluded, because most are initials or variables. */
function languagesOf(each: string): readonly Language[] {
  owners ??= ownersOf()
  return each.length < 2 ? [] : (owners.get(each) ?? [])
}

function ownersOf(): Map<string, Language[]> {
  const map = new Map<string, Language[]>()
  for (const language of languages) {
    for (const each of stopWordsOf(language)) map.set(each, [...(map.get(each) ?? []), language])
  }
  return map
}
