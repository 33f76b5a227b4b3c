const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/*
 * Abbreviations of English, German, French and Spanish, in lower case without their last dot. Most are in the
 * suppressions of CLDR. Its lists are not used as they are, because they also have words such as "in", "to" and "am".
 */

/** Titles and short forms that something always follows. */
const leading = words(`
  mr mrs ms dr prof gen col capt lt sgt rev hon gov sen rep pres
  e.g i.e eg ie cf viz vs ca approx est
  hr hrn fr frl dipl ing z.b d.h u.a v.a i.d.r o.ä s.o s.u u.u z.t bzw vgl ggf ggfs evtl sog insb inkl exkl einschl zzgl
  abzgl geb gest verh ehem entspr jew allg urspr röm dir
  mm mlle mme me p.ex env éd édit chap anc
  sra srta sres sras srs dra dña excmo excma p.ej pág págs núm núms aprox av avda ee ff.cc cía ldo lda lic ilmo ilma
`)
/** Abbreviations that something usually follows, but that can end a sentence. */
const ambiguous = words(`
  sr jr st ave blvd rd mt ft inc ltd co corp llc dept univ assn bros al max min avg temp u.s u.k u.n ph.d
  vol vols ch sec fig figs eq eqs ref refs p pp par art ed eds nos
  jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
  nr abs kap bd str tel std mio mrd tsd jh jhd hrsg aufl abb tab ziff lit anm gem abt hbf okt dez chr v.chr n.chr
  e.v a.d s.a s.l cie janv févr avr juil déc dest réf fig tél ann app
  cap ene abr ago dic uu ee.uu a.c d.c dpto sto sta ntra tel ext
`)
/** Always before a number; otherwise it is a word. */
const beforeNumber = words('no nr nos nº')
/** Ends a sentence if a capital letter follows. */
const closing = words('etc usw u.s.w usf')
const clockTime = /^[ap]\.m$/
const afterClockTime =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|^(?:Eastern|Central|Mountain|Pacific|Greenwich|local)\b|^[A-Z]{2,4}\b/

/** Words that begin a sentence and no name. */
const openers = words(`
  the a an it he she they we you i in on at this that these those there but and as if when while after before for from
  however his her its our my their what who how not one some all both each many most although because since to by with
  der die das dem den ein eine einer er sie es wir ihr ich im am auf an aus bei mit nach von zu und aber doch denn wenn
  als da dort dies diese dieser dieses seit sein seine ihre nur auch so dann danach jedoch deshalb was wer wie man nicht
  le la les un une des il elle ils elles on nous vous je ce cet cette ces en dans au aux à pour par sur mais et où son sa
  ses el los las una unos ella él ellos se su sus al por para con pero y como cuando este esta estos no lo
`)

const months =
  /^(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-zä]*\b|^(?:Jh|Jhd|Jahrhundert|Jahrtausend|Jahrestag|Geburtstag|Auflage|Klasse|Weltkrieg|Kapitel|Stock|Quartal|Platz|Mal)/u
const germanArticle =
  /(?:^|[^\p{L}])(?:am|der|die|das|dem|den|des|im|vom|zum|zur|bis|seit|ab|beim|und|oder|ein|eine|einem|einen|ihr|ihre|ihrem|sein|seine|seinem|jeder|jeden|jedem)\s+$/iu
const nameBefore = /\p{Lu}[\p{L}-]*\s+$/u

const start = /^\s+["'“”„‘‚«»‹›¿¡([]*\s?(?=[\p{Lu}\p{Lo}\p{N}•–-])/u
const lowerCase = /^\s+\p{Ll}/u
const closedQuote = /["'”’“»›«)\]]$/

/**
 * Whether the mark at `at` in a text, which ends before `end`, ends a sentence. Abbreviations, initials, ordinals ("3.
 * Mai", "Ludwig XIV.") and dates do not.
 */
export function endsSentence(
  content: string,
  at: number,
  mark: string,
  end: number,
  isGerman: () => boolean,
): boolean {
  const after = content.slice(end, end + 40)
  if (/^[。！？!?]/.test(mark)) return !(closedQuote.test(mark) && lowerCase.test(after))
  const begins = start.exec(after)
  if (!begins) return false
  if (mark !== '.') return true
  const next = after.slice(begins[0].length)
  const word = /[\p{L}\p{N}.º]*$/u.exec(content.slice(Math.max(0, at - 14), at))?.[0] ?? ''
  const before = content.slice(Math.max(0, at - word.length - 20), at - word.length)
  if (/^\p{N}/u.test(word)) return !isOrdinal(word, before, next, isGerman)
  return !isAbbreviated(word, before, next, isGerman)
}

function isOrdinal(word: string, before: string, next: string, isGerman: () => boolean): boolean {
  if (!/^\d{1,3}$/.test(word)) return false
  if (/^\s*$/.test(before)) return true
  if (/^\d{1,2}\./.test(next) || (/^\d{4}/.test(next) && /\d{1,2}\.\s*$/.test(before))) return true
  if (word.length > 2 || !/^\p{Lu}/u.test(next)) return false
  return months.test(next) || (germanArticle.test(before) && !isOpener(next) && isGerman())
}

function isAbbreviated(word: string, before: string, next: string, isGerman: () => boolean): boolean {
  const lower = word.toLowerCase()
  // "z. B." is one abbreviation with a space in it, and so are "EE. UU." and "i. d. R.".
  const spaced = /(?:(?<![\p{L}\p{N}])\p{L}{1,2}\.\s?){1,3}$/u.exec(before)?.[0].replace(/\s/g, '') ?? ''
  const whole = `${spaced}${word}`.toLowerCase()
  if (leading.has(lower) || leading.has(whole)) return true
  if (beforeNumber.has(lower)) return /^\p{L}{0,4}-?\d/u.test(next)
  if (closing.has(lower)) return false
  if (clockTime.test(whole)) return afterClockTime.test(next)
  // "Hauptstr." is a street.
  if (
    ambiguous.has(lower) ||
    ambiguous.has(whole) ||
    lower.endsWith('str') ||
    /^\p{L}(?:\.\p{L})*$/u.test(word)
  )
    return !isOpener(next)
  const isRoman = /^[IVX]{2,}$/.test(word) && nameBefore.test(before)
  return isRoman && !isOpener(next) && isGerman()
}

/** Whether a text begins with a word that begins sentences, which is no initial ("J. A. Smith"). */
function isOpener(text: string): boolean {
  const [first = ''] = /^[\p{L}’']+/u.exec(text) ?? []
  const plain = first.toLowerCase().replace(/^[cdjlmnqs]['’]/, 'le')
  const isElided = plain.startsWith('le') && /^[CDJLMNQS]['’]/.test(first)
  return (isElided || openers.has(plain)) && text.charAt(first.length) !== '.'
}
