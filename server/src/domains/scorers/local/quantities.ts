import { digitsForWords, scaleOf } from './numbers.ts'
import { holidays, phrases } from './quantities.data.ts'
import { findUnit, type Unit } from './units.ts'

/** A number, date, time or code in a text. */
export type Quantity = { shown: string } & (
  | {
      type: 'number'
      value: number
      unit: Unit | undefined
      /** 1 for "at least" and "more than", -1 for "at most" and "less than". */
      bound: 1 | -1 | 0
      /** "About 300": the number is rounded. */
      isRounded: boolean
    }
  /** Month and day start at 1. A part that the text leaves out is undefined. */
  | { type: 'date'; year: number | undefined; month: number; day: number | undefined; isEitherWay?: boolean }
  /** Minutes since midnight; without am or pm, a time up to 12:59 may be in either half of the day. */
  | { type: 'time'; minutes: number; isExact: boolean }
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
  const isExact = half !== undefined || hours.startsWith('0') || Number(hours) > 12
  return { type: 'time', shown, minutes: hour * 60 + Number(minutes ?? 0), isExact }
}

const least =
  /\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|minimum(?: of)?|more than|over|above|exceed(?:s|ing)?|greater than|from)\s$|[>≥]\s?$/
const most =
  /\b(?:at most|no (?:more|later|longer) than|not (?:more|over) than|not more than|maximum(?: of)?|up to|less than|fewer than|under|below|within|not exceed(?:ing)?)\s$|[<≤]\s?$/
const orMore =
  /^(?:[a-z]+ )?(?:or|and) (?:more|older|above|over|longer|higher|greater|later|up(?:wards)?)\b|^\+|^,? ?(?:at (?:the )?least|minimum|upwards)\b/
const orLess =
  /^(?:[a-z]+ )?(?:or|and) (?:less|fewer|younger|below|under|shorter|lower|earlier)\b|^,? ?(?:at (?:the )?most|maximum|or under)\b/
const rounded =
  /\b(?:about|around|approximately|roughly|nearly|almost|some|circa|ca|approx|close to|just over|just under)\.?\s$|~\s?$/
/** Characters before and after a number in which words such as "at least" are looked for. */
const nearby = 24

function boundOf(before: string, after: string): 1 | -1 | 0 {
  if (most.test(before)) return -1
  // "From 5 to 10" has no bound: both numbers are compared.
  if (least.test(before) && !/\bfrom\s$/.test(before)) return 1
  return orMore.test(after) ? 1 : orLess.test(after) ? -1 : 0
}

/** Tried in this order. A matched part is removed from the text before the next reader runs. */
const readers: readonly Reader[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([all, y, m = '', d]) => dateOf(all, y, m, d)],
  // Day or month first.
  [
    /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g,
    ([all, d = '', m = '', y]) =>
      ({
        ...(Number(m) > 12 ? dateOf(all, y, d, m) : dateOf(all, y, m, d)),
        isEitherWay: Number(d) <= 12 && Number(m) <= 12,
      }) as Quantity,
  ],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, ([all, d, m = '', y]) => dateOf(all, y, m, d)],
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
    /([$€£¥₹])? ?(?<![\d.])(-?\d{1,3}(?:[, ']\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?: ?(hundred|thousand|million|billion|trillion|dozen|bn|mn|k)\b)?(?:[ -]?(%|° ?[cf]\b|[€$£¥₹]|(?:square|cubic) [a-z]+|[a-zäöüßáéíóúñ]+(?:\/[a-z]+)?[²³]?))?/g,
    (match) => {
      const [all, currency, digits = '', scale = '', word] = match
      const value = Number(digits.replace(/[, ']/g, '')) * (scaleOf(scale) ?? 1)
      const unit = findUnit(currency) ?? findUnit(word?.replace(' ', word.startsWith('°') ? '' : ' '))
      const end = match.index + all.length - (unit || !word ? 0 : word.length)
      const before = match.input.slice(
        Math.max(0, match.index - nearby),
        match.index + (/^ /.test(all) ? 1 : 0),
      )
      const after = match.input.slice(end, end + nearby).trimStart()
      return {
        type: 'number',
        shown: all.trim(),
        value,
        unit,
        bound: boundOf(before, after),
        isRounded: rounded.test(before),
      }
    },
  ],
]

/** The quantities in a text: figures, number words, dates, times and codes. */
export function quantitiesIn(text: string): Quantity[] {
  // Otherwise the 18 in "members over 18 may vote" is read as a day of May.
  let rest = digitsForWords(text.replace(/(?<=[\p{L}\d] )may(?= (?!\d))/gu, 'can')).toLowerCase()
  for (const [pattern, words] of [...holidays, ...phrases]) rest = rest.replace(pattern, words)
  const found: Quantity[] = []
  for (const [pattern, read] of readers) {
    let end = -1
    for (const match of rest.matchAll(pattern)) {
      const quantity = read(match)
      const last = found.at(-1)
      const joint = rest.slice(end, match.index)
      end = match.index + match[0].length
      const whole = last && /^,? ?(?:and )?$/.test(joint) ? joined(last, quantity) : undefined
      if (whole) found[found.length - 1] = whole
      else found.push(quantity)
    }
    rest = rest.replace(pattern, ' ; ')
  }
  return found
}

/** "5 feet 10 inches" and "1 hour and 30 minutes" are one quantity. */
function joined(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.type !== 'number' || b.type !== 'number' || !a.unit || a.unit.kind !== b.unit?.kind) return undefined
  const { size } = a.unit
  if (b.unit.size >= size || b.unit.toBase(b.value) >= size) return undefined
  return { ...a, value: a.value + (b.value * b.unit.size) / size, shown: `${a.shown} ${b.shown}` }
}

/**
 * Whether `stated` fulfils `wanted`. The comparison is not symmetric: year and day count only if `wanted` has them, and a wanted
 * number may be the year of a stated date. Units of one kind are converted; a missing unit matches any unit.
 */
export function isSameQuantity(wanted: Quantity, stated: Quantity): boolean {
  if (wanted.type === 'date' && stated.type === 'date') {
    const agrees = (part: 'year' | 'day') => wanted[part] === undefined || wanted[part] === stated[part]
    if (wanted.month === stated.month && agrees('year') && agrees('day')) return true
    const isEitherWay = (wanted.isEitherWay || stated.isEitherWay) && agrees('year')
    return Boolean(isEitherWay && wanted.month === stated.day && wanted.day === stated.month)
  }
  if (wanted.type === 'time') {
    if (stated.type === 'number') return isHour(wanted.minutes, stated)
    if (stated.type !== 'time') return false
    const period = wanted.isExact && stated.isExact ? 1440 : 720
    return wanted.minutes % period === stated.minutes % period
  }
  if (wanted.type === 'code' && stated.type === 'code') return wanted.code === stated.code
  if (wanted.type !== 'number') return false
  if (stated.type === 'date')
    return wanted.value === stated.year || (!wanted.unit && wanted.value === stated.day)
  if (stated.type === 'time') return isHour(stated.minutes, wanted)
  return stated.type === 'number' && isSameNumber(wanted, stated)
}

type Numeric = Extract<Quantity, { type: 'number' }>

/** "At nine" is a number without a unit. */
function isHour(minutes: number, { value, unit }: Numeric): boolean {
  return !unit && value > 0 && value <= 24 && (value * 60 - minutes) % 720 === 0
}

/** Conversions are rounded in texts: 26.2 miles are 42 km, and three months are 90 days. */
const conversionError = 0.02
/** "About 300" for 305. */
const roundingError = 0.05

function isSameNumber(wanted: Numeric, stated: Numeric): boolean {
  if (wanted.bound * stated.bound < 0 && Math.abs(wanted.value - stated.value) <= 1) {
    // "More than 4" and "at least 5" agree, "at least 5" and "at most 5" do not.
    return false
  }
  const [a, b] = [wanted.unit, stated.unit]
  const isRounded = wanted.isRounded || stated.isRounded
  if (!a || !b || (a.kind === b.kind && a.size === b.size)) {
    return isRounded && !isYear(wanted)
      ? isNear(wanted.value, stated.value, roundingError)
      : wanted.value === stated.value || isNear(wanted.value, stated.value, decimalError(wanted, stated))
  }
  if (a.kind !== b.kind) return arePounds(wanted, stated) && wanted.value === stated.value
  const isTemperature = a.kind === 'Temperature'
  const [x, y] = [a.toBase(wanted.value), b.toBase(stated.value)]
  if (isTemperature) return Math.abs(x - y) <= 1
  return isNear(x, y, isRounded ? roundingError : conversionError)
}

/** Pounds are a mass and a currency. */
function arePounds(a: Numeric, b: Numeric): boolean {
  const kinds = [a.unit?.kind, b.unit?.kind]
  return kinds.includes('Mass') && kinds.includes('sterling') && /pounds?/.test(a.shown + b.shown)
}

/** Decimals may be rounded away: a third is 33 %. */
function decimalError(a: Numeric, b: Numeric): number {
  return a.unit?.kind === 'share' && b.unit?.kind === 'share' && (a.value % 1 !== 0 || b.value % 1 !== 0)
    ? 0.02
    : 0
}

function isYear({ value, unit }: Numeric): boolean {
  return !unit && Number.isInteger(value) && value >= 1000 && value <= 2100
}

function isNear(a: number, b: number, error: number): boolean {
  return Math.abs(a - b) <= error * Math.max(Math.abs(a), Math.abs(b))
}
