/** Words for numbers, and names of units with their factor to the first unit of their kind. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const scales: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
}
const values = new Map<string, number>([
  ...small.split(' ').map((word, index) => [word, index] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
  ['dozen', 12],
])
const numberWord = [...values.keys()].join('|')
const scaleWord = Object.keys(scales).join('|')
const spelled = new RegExp(
  `\\b(?:${numberWord})(?:[ -](?:and )?(?:${numberWord}|${scaleWord}))*\\b(?! of (?:the|these|those|them)\\b)`,
  'gi',
)

/** Replaces number words by digits: `two hundred and five` -> `205`. */
export function digitsForWords(text: string): string {
  return text
    .replace(/\bonce\b(?= (?:a|an|per|every|each)\b)/gi, '1')
    .replace(/\btwice\b/gi, '2')
    .replace(/\bthrice\b/gi, '3')
    .replace(spelled, (words) => (/^one$/i.test(words) ? words : String(countOf(words.toLowerCase()))))
}

function countOf(words: string): number {
  let [total, current] = [0, 0]
  for (const word of words.split(/[ -]/)) {
    const scale = scales[word]
    if (scale === 100) current = (current || 1) * 100
    else if (scale !== undefined) {
      total += (current || 1) * scale
      current = 0
    } else current += values.get(word) ?? 0
  }
  return total + current
}

export function scaleOf(word: string): number | undefined {
  return scales[word]
}

/** Kind, then unit names, then the factor of the unit. */
const units: Record<string, Record<string, number>> = {
  length: {
    'm metre metres meter meters': 1,
    'km kilometre kilometres kilometer kilometers': 1000,
    'cm centimetre centimetres centimeter centimeters': 0.01,
    'mm millimetre millimetres millimeter millimeters': 0.001,
    'mile miles mi': 1609.344,
    'foot feet ft': 0.3048,
    'inch inches': 0.0254,
    'yard yards': 0.9144,
  },
  mass: {
    'g gram grams': 1,
    'kg kilo kilos kilogram kilograms': 1000,
    'mg milligram milligrams': 0.001,
    'tonne tonnes ton tons': 1e6,
    'pound pounds lb lbs': 453.592,
    'ounce ounces oz': 28.3495,
  },
  time: {
    'second seconds sec secs s': 1,
    'ms millisecond milliseconds': 0.001,
    'minute minutes min mins': 60,
    'hour hours h hr hrs': 3600,
    'day days': 86_400,
    'week weeks': 604_800,
    'month months': 2_629_800,
    'year years': 31_557_600,
  },
  volume: { 'l litre litres liter liters': 1, 'ml millilitre millilitres milliliter milliliters': 0.001 },
  data: { 'kb kilobytes': 1e3, 'mb megabytes': 1e6, 'gb gigabytes': 1e9, 'tb terabytes': 1e12 },
  share: { '% percent': 1 },
  dollars: { '$ dollar dollars usd': 1, 'cent cents': 0.01 },
  euros: { '€ euro euros eur': 1 },
  sterling: { '£ gbp': 1 },
  celsius: { '°c celsius': 1 },
  fahrenheit: { '°f fahrenheit': 1 },
  power: { 'w watt watts': 1, 'kw kilowatt kilowatts': 1000, 'mw megawatt megawatts': 1e6 },
}

export interface Unit {
  kind: string
  factor: number
}

const unitOf = new Map<string, Unit>(
  Object.entries(units).flatMap(([kind, names]) =>
    Object.entries(names).flatMap(([words, factor]) =>
      words.split(' ').map((word) => [word, { kind, factor }] as const),
    ),
  ),
)

export function findUnit(word: string | undefined): Unit | undefined {
  return word === undefined ? undefined : unitOf.get(word)
}
