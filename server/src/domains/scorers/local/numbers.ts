import { clockTimes } from './clock.ts'

/** Numbers in words, as digits. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const scales: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  dozen: 12,
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  bn: 1e9,
}
const values = new Map<string, number>([
  ...small.split(' ').map((word, index) => [word, index] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])
const numberWord = [...values.keys()].join('|')
const scaleWord = 'hundred|thousand|million|billion|trillion|dozen'
const spelled = new RegExp(
  `\\b(?:${numberWord})(?:(?:[ -]|(?<=hundred|thousand|million|billion) and )(?:${numberWord}|${scaleWord}))*\\b`,
  'gi',
)

/** Number words of German, French and Spanish that are no English words. */
const foreign = new Map(
  Object.entries({
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    zwölf: 12,
    vierzehn: 14,
    fünfzehn: 15,
    zwanzig: 20,
    dreißig: 30,
    hundert: 100,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    huit: 8,
    neuf: 9,
    onze: 11,
    douze: 12,
    treize: 13,
    quatorze: 14,
    quinze: 15,
    vingt: 20,
    trente: 30,
    cent: 100,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
    doce: 12,
    trece: 13,
    catorce: 14,
    quince: 15,
    veinte: 20,
    treinta: 30,
    cien: 100,
  }),
)
const foreignWord = new RegExp(
  `(?<!\\p{L})(?:${[...foreign.keys()].filter((word) => word !== 'cent').join('|')})(?!\\p{L})`,
  'giu',
)

const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  )
const tensOrdinals = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(
  ' ',
)
const ordinalValues = new Map<string, number>([
  ...ordinals.map((word, index) => [word, index] as const),
  ...tensOrdinals.map((word, index) => [word, (index + 2) * 10] as const),
])
const compoundOrdinal = new RegExp(
  `\\b(${tens.replaceAll(' ', '|')})[- ](${ordinals.slice(1, 10).join('|')})\\b`,
  'gi',
)
const plainOrdinal = new RegExp(`\\b(?:${[...ordinals.slice(3), ...tensOrdinals].join('|')})\\b`, 'gi')
/** "First" and "second" are also adverbs, and a second is a unit. */
const firstOrSecond =
  /\b(first|second)(?= (?:floor|centur|place|edition|chapter|quarter|half|grade|round|level|world|of (?:the|each|every) month|of (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))/gi

const parts: Record<string, number> = {
  half: 2,
  third: 3,
  quarter: 4,
  fourth: 4,
  fifth: 5,
  eighth: 8,
  tenth: 10,
}
const part = '(half|third|quarter|fourth|fifth|eighth|tenth)'
const span =
  '(second|minute|hour|day|week|month|year|decade|century|mile|kilomet|met|litre|liter|pound|kilo|cup|million|dozen|inch|foot|ton)'

const rewrites: readonly [RegExp, string | ((...groups: string[]) => string)][] = [
  [/\b(\d+) 1\/2\b|\b(\d+)½/g, (_, a = '', b = '') => `${a}${b}.5`],
  [/\bone (?=(?:dollar|pound|euro|cent|percent)\b)/gi, '1 '],
  [/(?<![\d/.])([1-9])\/([2-9]|10)(?![\d/])/g, (_, a = '', b = '') => percent(Number(a) / Number(b))],
  [/\bdoubled\b/gi, 'rose by 100 %'],
  [/\bhalved\b/gi, 'fell by 50 %'],
  [/\b(?:tripled|trebled)\b/gi, 'rose by 200 %'],
  [/^\W*(?:about |around |exactly )?half\W*$/gi, '50 %'],
  [/\b(\d+) (pounds?|dollars?|euros?|quid) (?:and )?(\d{2})(?: cents| pence| p)?\b/gi, '$1.$3 $2'],
  [/\b(\d+(?: goals?| points?| sets?| games?)? to) one\b/gi, '$1 1'],
  [
    new RegExp(`\\b(an?|one)[ -]${part}(?= (?:off|less|more|discount)\\b)`, 'gi'),
    (_, count = '', name = '') => percent(shareOf(count, name)),
  ],
  [/\b(an?|one) (eighth|tenth|fifth)\b/gi, (_, count = '', name = '') => percent(shareOf(count, name))],
  [/\bonce(?= (?:a|an|per|every|each)\b)/gi, '1 time'],
  [/\btwice\b/gi, '2 times'],
  [/\bthrice\b/gi, '3 times'],
  [/\b(\d+) and (?:a|1|one) half\b/gi, '$1.5'],
  [new RegExp(`\\b(?:an?|one|1) (${span}\\w*) and (?:a|1|one) half\\b`, 'gi'), '1.5 $1'],
  [/\b(\d+) (\w+) and (?:a|1|one) half\b/gi, '$1.5 $2'],
  [new RegExp(`\\bhalf (?:an? )?(?=${span})`, 'gi'), '0.5 '],
  [
    new RegExp(`\\b(an?|one|\\d) ${part}s? of an? (?=${span})`, 'gi'),
    (_, count = '', name = '') => `${shareOf(count, name)} `,
  ],
  [
    /\b(\d+|one) (?:in|out of)(?: every)? (\d+)\b/gi,
    (all = '', a = '', b = '') => percentOf(all, Number(a) || 1, Number(b)),
  ],
  [/\b(\d+) point (\d+)\b/gi, '$1.$2'],
  [
    new RegExp(`\\b(an?|one|\\d)[ -]${part}s?(?= (?:of|the)\\b|[.,;!?]|$)`, 'gi'),
    (_, count = '', name = '') => percent(shareOf(count, name)),
  ],
  [
    /\b([2-9])[ -](third|quarter|fourth|fifth|eighth|tenth)s\b/gi,
    (_, count = '', name = '') => percent(shareOf(count, name)),
  ],
  [/\bhalf(?= (?:of|the|our|their|its|all)\b)/gi, '50 %'],
  [/\ban? (?=(?:hundred|thousand|million|billion|trillion|dozen)\b)/gi, '1 '],
]

function shareOf(count: string, name: string): number {
  return (Number(count) || 1) / (parts[name.toLowerCase()] ?? 1)
}

function percentOf(all: string, part: number, whole: number): string {
  return part < whole && whole <= 1000 ? percent(part / whole) : all
}

function percent(share: number): string {
  return `${Math.round(share * 1e4) / 100} %`
}

/**
 * Replaces numbers in words by digits: `two hundred and five` -> `205`, `half past six` -> `6:30`, `two thirds of` ->
 * `66.67 % of`, `the third floor` -> `the 3rd floor`.
 */
export function digitsForWords(text: string): string {
  let even = text
    .replace(foreignWord, (word) => String(foreign.get(word.toLowerCase()) ?? word))
    .replace(/\bhalf a dozen\b/gi, '6')
    .replace(/\b(an?|one) fortnight\b/gi, '2 weeks')

    .replace(/\b(?:a )?couple of\b/gi, '2')
    .replace(compoundOrdinal, (_, ten: string, unit: string) =>
      ordinal((values.get(ten.toLowerCase()) ?? 0) + (ordinalValues.get(unit.toLowerCase()) ?? 0)),
    )
    .replace(spelled, (words) => (/^one$/i.test(words) ? words : countOf(words.toLowerCase())))
  even = clockTimes(even)
  for (const [pattern, replacement] of rewrites) {
    even =
      typeof replacement === 'string'
        ? even.replace(pattern, replacement)
        : even.replace(pattern, replacement)
  }
  return even
    .replace(plainOrdinal, (word) => ordinal(ordinalValues.get(word.toLowerCase()) ?? 0))
    .replace(firstOrSecond, (word) => ordinal(ordinalValues.get(word.toLowerCase()) ?? 0))
    .replace(new RegExp(`\\bone(?= (?:single )?${span})`, 'gi'), '1')
}

function ordinal(value: number): string {
  const ending = value % 100 > 10 && value % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${value}${ending}`
}

/** The digits of number words. Years (nineteen ninety) and times (ten thirty) are read in pairs. */
function countOf(words: string): string {
  let [total, current] = [0, 0]
  const each = words.split(/[ -]/)
  for (const [at, word] of each.entries()) {
    const scale = scales[word]
    const value = values.get(word) ?? 0
    if (scale !== undefined && scale <= 100) current = (current || 1) * scale
    else if (scale !== undefined) {
      total += (current || 1) * scale
      current = 0
    } else if (value >= 10 && current > 0 && current < 100 && at >= each.length - 2) {
      const rest = value + (values.get(each[at + 1] ?? '') ?? 0)
      return current < 13 && rest < 60
        ? `${current}:${String(rest).padStart(2, '0')}`
        : String(current * 100 + rest)
    } else current += value
  }
  return String(total + current)
}

export function scaleOf(word: string): number | undefined {
  return scales[word]
}
