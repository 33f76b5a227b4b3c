import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stopwords as arabicWords } from '@orama/stopwords/arabic'
import { stopwords as danishWords } from '@orama/stopwords/danish'
import { stopwords as dutchWords } from '@orama/stopwords/dutch'
import { stopwords as finnishWords } from '@orama/stopwords/finnish'
import { stopwords as frenchWords } from '@orama/stopwords/french'
import { stopwords as germanWords } from '@orama/stopwords/german'
import { stopwords as greekWords } from '@orama/stopwords/greek'
import { stopwords as hungarianWords } from '@orama/stopwords/hungarian'
import { stopwords as italianWords } from '@orama/stopwords/italian'
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian'
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese'
import { stopwords as romanianWords } from '@orama/stopwords/romanian'
import { stopwords as russianWords } from '@orama/stopwords/russian'
import { stopwords as spanishWords } from '@orama/stopwords/spanish'
import { stopwords as swedishWords } from '@orama/stopwords/swedish'
import { stopwords as turkishWords } from '@orama/stopwords/turkish'
import { stopwords as ukrainianWords } from '@orama/stopwords/ukrainian'
import { stopWords as englishWords } from './stop-words.ts'

interface Rules {
  /** Function words, lower case, with their accents. */
  stopWords: ReadonlySet<string>
  /** The stem of a lower-case word (Snowball). */
  stem: (word: string) => string
}

const rules = {
  english: { stopWords: englishWords, stem: english },
  arabic: { stopWords: new Set(arabicWords), stem: arabic },
  danish: { stopWords: new Set(danishWords), stem: danish },
  dutch: { stopWords: new Set(dutchWords), stem: dutch },
  finnish: { stopWords: new Set(finnishWords), stem: finnish },
  french: { stopWords: new Set(frenchWords), stem: french },
  german: { stopWords: new Set(germanWords), stem: german },
  greek: { stopWords: new Set(greekWords), stem: greek },
  hungarian: { stopWords: new Set(hungarianWords), stem: hungarian },
  italian: { stopWords: new Set(italianWords), stem: italian },
  norwegian: { stopWords: new Set(norwegianWords), stem: norwegian },
  portuguese: { stopWords: new Set(portugueseWords), stem: portuguese },
  romanian: { stopWords: new Set(romanianWords), stem: romanian },
  russian: { stopWords: new Set(russianWords), stem: russian },
  spanish: { stopWords: new Set(spanishWords), stem: spanish },
  swedish: { stopWords: new Set(swedishWords), stem: swedish },
  turkish: { stopWords: new Set(turkishWords), stem: turkish },
  ukrainian: { stopWords: new Set(ukrainianWords), stem: ukrainian },
} satisfies Record<string, Rules>

/** A language whose words are stemmed. Scripts without spaces need no stems: theirs are read like any other's. */
export type Language = keyof typeof rules

const languages = Object.keys(rules) as Language[]

export function rulesOf(language: Language): Rules {
  return rules[language]
}

const sampleLength = 20_000
const latinLetter = /\p{Script=Latin}/u
const word = /\p{L}[\p{L}\p{M}'’]*/gu
/** Scripts that tell the language, as far as their words are stemmed. */
const scripts: readonly [letters: RegExp, language: Language][] = [
  [/\p{Script=Arabic}/u, 'arabic'],
  [/\p{Script=Greek}/u, 'greek'],
  [/[іїєґ]/u, 'ukrainian'],
  [/\p{Script=Cyrillic}/u, 'russian'],
]
/** Prose has about twice as many function words; lists, code and tables hardly any. */
const leastShare = 0.15
/** Different ones that have to be there, and how many more of them than English ones: short words mean little. */
const leastDifferent = 3
const overEnglish = 1.3

/** Each function word, with the languages that have it; made when it is first needed. */
let owners: ReadonlyMap<string, readonly Language[]> | undefined

/**
 * The language of a text: by its script, or by its function words, of which one that several languages have counts the
 * less for each. English when there are too few to tell, as in code, tables and scripts without spaces.
 */
export function detectLanguage(text: string): Language {
  const words = text.slice(0, sampleLength).toLowerCase().normalize('NFC').match(word) ?? []
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

/** The languages that have a function word; letters that stand alone are mostly initials and variables. */
function languagesOf(each: string): readonly Language[] {
  owners ??= ownersOf()
  return each.length < 2 ? [] : (owners.get(each) ?? [])
}

function ownersOf(): Map<string, Language[]> {
  const map = new Map<string, Language[]>()
  for (const language of languages) {
    for (const each of rules[language].stopWords) map.set(each, [...(map.get(each) ?? []), language])
  }
  return map
}
