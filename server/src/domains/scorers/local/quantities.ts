import { digitsForWords, findUnit, scaleOf, type Unit } from './numbers.ts'

/** A number, date, time or code in a text. */
export type Quantity = { shown: string } & (
  | { type: 'number'; value: number; unit: Unit | undefined }
  /** Month and day start at 1. A part that the text leaves out is undefined. */
  | { type: 'date'; year: number | undefined; month: number; day: number | undefined }
  /** Minutes since midnight. */
  | { type: 'time'; minutes: number }
  /** A version, a result such as 3-1, or a part number; compared as text. */
  | { type: 'code'; code: string }
)

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'

type Reader = [pattern: RegExp, read: (match: RegExpExecArray) => Quantity]

function dateOf(shown: string, year: string | undefined, monthText: string, dayText?: string): Quantity {
  const number = months.indexOf(monthText.slice(0, 3)) + 1 || Number(monthText)
  const [y, d] = [year, dayText].map((text) => (text === undefined ? undefined : Number(text)))
  return { type: 'date', shown, year: y, month: number, day: d }
}

function timeOf(
  shown: string,
  hours: string,
  minutes: string | undefined,
  /** `a` or `p` of a 12-hour time. */
  half: string | undefined,
): Quantity {
  const hour = (Number(hours) % (half ? 12 : 24)) + (half?.startsWith('p') ? 12 : 0)
  return { type: 'time', shown, minutes: hour * 60 + Number(minutes ?? 0) }
}

/** Tried in this order. A matched part is removed from the text before the next reader runs. */
const readers: readonly Reader[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([all, y, m = '', d]) => dateOf(all, y, m, d)],
  [
    new RegExp(`\\b${day} (?:of )?${month}\\b,?(?: (\\d{4})\\b)?`, 'g'),
    ([all, d, m = '', y]) => dateOf(all, y, m, d),
  ],
  [
    new RegExp(`\\b${month} ${day}\\b(?:,? (\\d{4})\\b)?`, 'g'),
    ([all, m = '', d, y]) => dateOf(all, y, m, d),
  ],
  [new RegExp(`\\b${month},? (\\d{4})\\b`, 'g'), ([all, m = '', y]) => dateOf(all, y, m)],
  [/\b(\d{1,2})[:.](\d{2}) ?([ap])\.?m\b\.?/g, ([all, h = '', m, half]) => timeOf(all, h, m, half)],
  [/\b(\d{1,2}) ?([ap])\.?m\b\.?/g, ([all, h = '', half]) => timeOf(all, h, undefined, half)],
  [/\b(\d{1,2}):(\d{2})\b(?!:)/g, ([all, h = '', m]) => timeOf(all, h, m, undefined)],
  [/\bv?(\d+(?:\.\d+){2,})\b/g, ([all, code = '']) => ({ type: 'code', shown: all, code })],
  [/\b(\d+)[-–](\d+)\b(?! ?[a-z%])/g, ([all, a, b]) => ({ type: 'code', shown: all, code: `${a}-${b}` })],
  [
    /\b(?=[a-z]*\d)(?=\d*[a-z])[a-z]+-?\d[a-z\d-]*\b/g,
    ([all]) => ({ type: 'code', shown: all, code: all.replaceAll('-', '') }),
  ],
  [
    /([$€£])? ?(?<![\d.])(-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?: ?(hundred|thousand|million|billion|trillion)\b)?(?:[ -]?(%|°[cf]|[€$£]|[a-z]+))?/g,
    ([all, currency, digits = '', scale = '', word]) => {
      const value = Number(digits.replace(/[, ]/g, '')) * (scaleOf(scale) ?? 1)
      return { type: 'number', shown: all.trim(), value, unit: findUnit(currency) ?? findUnit(word) }
    },
  ],
]

/** The quantities in a text: figures, number words, dates, times and codes. */
export function quantitiesIn(text: string): Quantity[] {
  // Otherwise the 18 in "members over 18 may vote" is read as a day of May.
  let rest = digitsForWords(text.replace(/(?<=[\p{L}\d] )may(?= (?!\d))/gu, 'can').toLowerCase())
  const found: Quantity[] = []
  for (const [pattern, read] of readers) {
    for (const match of rest.matchAll(pattern)) {
      found.push(read(match))
    }
    rest = rest.replace(pattern, ' ; ')
  }
  return found
}

/**
 * Whether `stated` fulfils `wanted`. The comparison is not symmetric: year and day count only if `wanted` has them, and a wanted
 * number may be the year of a stated date. Units of one kind are converted; a missing unit matches any unit.
 */
export function isSameQuantity(wanted: Quantity, stated: Quantity): boolean {
  if (wanted.type === 'date' && stated.type === 'date') {
    const agrees = (part: 'year' | 'day') => wanted[part] === undefined || wanted[part] === stated[part]
    return wanted.month === stated.month && agrees('year') && agrees('day')
  }
  if (wanted.type === 'time' && stated.type === 'time') return wanted.minutes === stated.minutes
  if (wanted.type === 'code' && stated.type === 'code') return wanted.code === stated.code
  if (wanted.type !== 'number') return false
  if (stated.type === 'date') return wanted.value === stated.year
  return stated.type === 'number' && isSameNumber(wanted, stated)
}

type Numeric = Extract<Quantity, { type: 'number' }>

function isSameNumber(wanted: Numeric, stated: Numeric): boolean {
  const [a, b] = [wanted.unit, stated.unit]
  if (!a || !b || (a.kind === b.kind && a.factor === b.factor)) return wanted.value === stated.value
  if (a.kind !== b.kind) return false
  const [x, y] = [wanted.value * a.factor, stated.value * b.factor]
  // Conversions are rounded in texts: 26.2 miles are 42 km.
  return Math.abs(x - y) <= 0.005 * Math.max(Math.abs(x), Math.abs(y))
}
