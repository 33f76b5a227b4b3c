/** "All", "some" and "none" of something. */

type Amount = 'all' | 'most' | 'some' | 'none' | 'only'

const words: readonly [Amount, RegExp][] = [
  ['none', /\b(?:none|nobody|no one|nothing|neither|never|not any|nowhere)\b/],
  [
    'some',
    /\b(?:not (?:all|every|everyone|always|both)|some|several|a few|few|sometimes|occasionally|partly|partially|only (?:one|some|a few|part|half)|certain|one of the|a couple|rarely|seldom|part of)\b/,
  ],
  ['most', /\b(?:most|mostly|majority|usually|often|generally|mainly|almost all|nearly all|many)\b/],
  [
    'all',
    /\b(?:all|every|each|everyone|everybody|everything|always|both|entire|entirely|whole|completely|anyone|anybody|without exception)\b/,
  ],
]
const only = /\b(?:only|solely|exclusively|nobody but|no one but|none but)\b/

/** The amounts that a text names, with its own words. */
function amountsIn(text: string): Map<Amount, string> {
  const found = new Map<Amount, string>()
  let rest = text
    .toLowerCase()
    .replace(
      /\b(?:at all|first of all|above all|after all|all right|all the same|most likely|at most|at least|the most|each other|not only|whole milk)\b/g,
      ' ',
    )
  const sole = only.exec(rest)
  if (sole) found.set('only', sole[0])
  for (const [amount, pattern] of words) {
    const match = pattern.exec(rest)
    if (!match) continue
    found.set(amount, match[0])
    rest = rest.replace(new RegExp(pattern, 'g'), ' ')
  }
  return found
}

const conflicts: readonly [Amount, Amount][] = [
  ['all', 'some'],
  ['all', 'most'],
  ['some', 'all'],
  ['most', 'all'],
  ['none', 'all'],
  ['none', 'some'],
  ['none', 'most'],
  ['some', 'none'],
  ['most', 'none'],
  ['most', 'some'],
  ['only', 'all'],
]

/** Words of amount that exclude each other. Each text must name one amount only. */
export function findOtherAmount(
  wanted: string,
  stated: string,
  /** The texts have opposite words, so that "neither is locked" and "both are unlocked" agree. */
  isOpposite: boolean,
): [string, string] | undefined {
  const [a, b] = [amountsIn(wanted), amountsIn(stated)]
  for (const [one, other] of conflicts) {
    if (isOpposite && (one === 'none' || other === 'none')) continue
    const [x, y] = [a.get(one), b.get(other)]
    if (x !== undefined && y !== undefined && !b.has(one) && !a.has(other)) return [x, y]
  }
  return undefined
}

const adverbs: readonly [RegExp, string][] = [
  [/\bdaily\b/g, 'every day'],
  [/\bweekly\b/g, 'every week'],
  [/\bmonthly\b/g, 'every month'],
  [/\bhourly\b/g, 'every hour'],
  [/\b(?:yearly|annually|annual)\b/g, 'every year'],
]
const every = /\b(?:every|each|per|an?) (hour|day|week|month|quarter|year|night|morning|evening)\b/g

/** "Every day" and "weekly". */
export function findOtherFrequency(wanted: string, stated: string): [string, string] | undefined {
  const [a, b] = [wanted, stated].map((text) => {
    let even = text.toLowerCase()
    for (const [pattern, words] of adverbs) even = even.replace(pattern, words)
    return new Set([...even.matchAll(every)].map(([, span = '']) => span))
  }) as [Set<string>, Set<string>]
  if (a.size === 0 || b.size === 0 || !a.isDisjointFrom(b)) return undefined
  return [`every ${[...a][0]}`, `every ${[...b][0]}`]
}
