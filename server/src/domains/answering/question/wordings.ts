/** The kind of value that answers a question, derived from its wording. */
export type AnswerKind = 'number' | 'time' | 'person' | 'place' | 'reason' | 'any'

/** A pattern of questions, for example "how old". */
export interface Wording {
  pattern: RegExp
  kind: AnswerKind
  /** Words that an answer or its label usually contains. */
  hints: string
  /**
   * True if the hints name the wanted value ("how old": age); otherwise they only often occur with it ("when": date).
   */
  isExact?: boolean
}

/** Wordings of English questions, more specific ones first. */
export const wordings: readonly Wording[] = [
  {
    pattern: /\bhow far\b/,
    kind: 'number',
    hints: 'distance away miles kilometers km meters feet',
    isExact: true,
  },
  { pattern: /\bhow old\b|\b(what|which) age\b/, kind: 'number', hints: 'age aged year born', isExact: true },
  {
    pattern: /\bhow (often|frequently)\b/,
    kind: 'any',
    hints: 'every each per daily weekly monthly yearly frequency times',
    isExact: true,
  },
  {
    pattern: /\bhow long\b/,
    kind: 'number',
    hints: 'duration length time minutes hours days weeks months years metres feet kilometers miles',
    isExact: true,
  },
  { pattern: /\bhow (fast|quick)/, kind: 'number', hints: 'speed velocity rate', isExact: true },
  {
    pattern: /\bhow (high|tall|deep)\b/,
    kind: 'number',
    hints: 'height elevation altitude depth feet meters',
    isExact: true,
  },
  {
    pattern: /\bhow (heavy|much .*weigh)/,
    kind: 'number',
    hints: 'weight mass pounds lbs kg',
    isExact: true,
  },
  {
    pattern: /\bhow much (money|does|did)\b|\b(what|which) (price|cost)\b/,
    kind: 'number',
    hints: 'cost price amount fee funding total',
  },
  { pattern: /\bhow (many|much|large|big|good|hot|cold|wide|strong)\b/, kind: 'number', hints: '' },
  {
    pattern: /\bwhen\b|\b(what|which) (local )?(time|date|day|year|month|hour)\b/,
    kind: 'time',
    hints: 'date time',
  },
  { pattern: /\bwho\b|\bwhom\b|\bwhose\b/, kind: 'person', hints: 'name by' },
  {
    pattern: /\bwhere\b|\b(what|which) (place|city|town|country|location|state|address)\b/,
    kind: 'place',
    hints: 'location place site address',
  },
  {
    pattern: /\bwhy\b|\b(what|which) (caused|reason)/,
    kind: 'reason',
    hints: 'because cause due reason result failure',
  },
]
