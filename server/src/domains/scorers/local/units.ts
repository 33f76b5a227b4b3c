import { convert, getMeasureKind, type Unit as KnownUnit, MeasureKind } from 'convert'

/** Units of measure. Lengths, masses, times, volumes, areas and so on are those of the library `convert`. */
export interface Unit {
  kind: string
  /** The value in the first unit of the kind. */
  toBase(value: number): number
  /** For units of one kind: the same number of a smaller unit is less. */
  size: number
}

/** Names that the library does not know or reads in another way. */
const aliases: Record<string, string> = {
  kilo: 'kg',
  kilos: 'kg',
  sec: 'second',
  secs: 'second',
  min: 'minute',
  mins: 'minute',
  hr: 'hour',
  hrs: 'hour',
  h: 'hour',
  s: 'second',
  '°c': 'celsius',
  '°f': 'fahrenheit',
  c: 'celsius',
  f: 'fahrenheit',
  lbs: 'pound',
  tonnes: 'tonne',
  tons: 'tonne',
  ton: 'tonne',
  kb: 'KB',
  mb: 'MB',
  gb: 'GB',
  tb: 'TB',
  kilobytes: 'KB',
  megabytes: 'MB',
  gigabytes: 'GB',
  terabytes: 'TB',
  kw: 'kW',
  mw: 'MW',
  kwh: 'kWh',
  mhz: 'MHz',
  ghz: 'GHz',
  hz: 'Hz',
  centigrade: 'celsius',
  fortnights: 'fortnight',
  yr: 'year',
  yrs: 'year',
  meter: 'metre',
  meters: 'metre',
  sqm: 'm2',
  'm²': 'm2',
  'km²': 'km2',
  'm³': 'm3',
  tag: 'day',
  tage: 'day',
  tagen: 'day',
  wochen: 'week',
  woche: 'week',
  stunden: 'hour',
  stunde: 'hour',
  minuten: 'minute',
  jours: 'day',
  jour: 'day',
  semaines: 'week',
  heures: 'hour',
  días: 'day',
  dias: 'day',
  semanas: 'week',
  horas: 'hour',
  minutos: 'minute',
  fl: '',
  in: '',
  a: '',
  t: 'tonne',
  d: '',
  b: '',
  p: '',
}
const money: Record<string, [kind: string, factor: number]> = {
  $: ['dollars', 1],
  dollar: ['dollars', 1],
  dollars: ['dollars', 1],
  usd: ['dollars', 1],
  cent: ['dollars', 0.01],
  cents: ['dollars', 0.01],
  '€': ['euros', 1],
  euro: ['euros', 1],
  euros: ['euros', 1],
  eur: ['euros', 1],
  '£': ['sterling', 1],
  gbp: ['sterling', 1],
  quid: ['sterling', 1],
  '%': ['share', 1],
  percent: ['share', 1],
  pct: ['share', 1],
  mph: ['length per hour', 1609.344],
  kmh: ['length per hour', 1000],
  kph: ['length per hour', 1000],
  knot: ['length per hour', 1852],
  knots: ['length per hour', 1852],
  month: ['months', 1],
  months: ['months', 1],
  monate: ['months', 1],
  monaten: ['months', 1],
  mois: ['months', 1],
  meses: ['months', 1],
  quarters: ['months', 3],
  jahre: ['months', 12],
  jahren: ['months', 12],
  ans: ['months', 12],
  années: ['months', 12],
  años: ['months', 12],
  '¥': ['yen', 1],
  yen: ['yen', 1],
  chf: ['francs', 1],
  francs: ['francs', 1],
  rupees: ['rupees', 1],
  '₹': ['rupees', 1],
  year: ['months', 12],
  years: ['months', 12],
  yr: ['months', 12],
  yrs: ['months', 12],
  decade: ['months', 120],
  decades: ['months', 120],
  century: ['months', 1200],
  centuries: ['months', 1200],
}
/** The unit to which each kind of measure is converted. */
const bases: Partial<Record<string, KnownUnit>> = {
  Length: 'metre',
  Mass: 'gram',
  Time: 'second',
  Volume: 'litre',
  Area: 'm2',
  Data: 'byte',
  Temperature: 'K',
  Energy: 'J',
  Power: 'W',
  Pressure: 'Pa',
  Angle: 'deg',
  Frequency: 'Hz',
  Force: 'N',
}

const known = new Map<string, Unit | undefined>()
const maxKnown = 5_000

/** The unit of a word in lower case, for example `km`, `minutes`, `°f`; undefined for other words. */
export function findUnit(word: string | undefined): Unit | undefined {
  if (word === undefined || word.length > 30) return undefined
  if (known.has(word)) return known.get(word)
  const unit = readUnit(word)
  if (known.size < maxKnown) known.set(word, unit)
  return unit
}

/** Seconds in a month and days in a year are averages, so that 90 days are three months. */
const secondsPerMonth = 2_629_800

function readUnit(word: string): Unit | undefined {
  const own = Object.hasOwn(money, word) ? money[word] : undefined
  if (own) {
    const [kind, factor] = own
    if (kind === 'months') return scaled('Time', factor * secondsPerMonth)
    return scaled(kind, factor)
  }
  const [first = '', per] = word.split(/\/| per (?:an? )?/)
  if (per !== undefined) {
    const [length, time] = [findUnit(first), findUnit(per)]
    if (length?.kind !== 'Length' || time?.kind !== 'Time') return undefined
    return scaled('length per hour', (length.size * 3600) / time.size)
  }
  const name = Object.hasOwn(aliases, word) ? aliases[word] : word
  return name ? fromLibrary(name) : undefined
}

function fromLibrary(name: string): Unit | undefined {
  try {
    const unit = name as KnownUnit
    const kind = MeasureKind[getMeasureKind(unit) ?? -1] ?? ''
    const base = bases[kind]
    if (base === undefined) return undefined
    const toBase = (value: number) => Number(convert(value, unit).to(base as never))
    return { kind, toBase, size: toBase(1) }
  } catch {
    return undefined
  }
}
function scaled(kind: string, factor: number): Unit {
  return { kind, toBase: (value) => value * factor, size: factor }
}
