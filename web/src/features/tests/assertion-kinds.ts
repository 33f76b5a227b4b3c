import type { Assertion, AssertionInput, AssertionType } from '@cairn/sdk'

type FieldKind = 'text' | 'lines' | 'number' | 'share' | 'json' | 'choice' | 'likeness'

interface Kind {
  title: string
  /** What passes, in a sentence. */
  meaning: string
  field: FieldKind
  unit?: string
}

/** Every kind of assertion, in the order of the menu. */
export const assertionKinds: Record<AssertionType, Kind> = {
  contains: {
    title: 'Contains',
    meaning: 'The answer has this text in it, letter by letter.',
    field: 'text',
  },
  icontains: { title: 'Contains, any case', meaning: 'The same in upper or lower case.', field: 'text' },
  not_contains: {
    title: 'Does not contain',
    meaning: 'The answer does not have this text in it.',
    field: 'text',
  },
  starts_with: { title: 'Starts with', meaning: 'The answer begins with this text.', field: 'text' },
  equals: { title: 'Equals', meaning: 'The answer is this text, blanks included.', field: 'lines' },
  regex: {
    title: 'Matches regex',
    meaning: 'A regular expression of JavaScript matches somewhere; (?i:…) for any case.',
    field: 'text',
  },
  min_score: { title: 'Score of a judge', meaning: 'The judge gives at least this score.', field: 'share' },
  similar: {
    title: 'Is similar',
    meaning: 'The answer is at least this much like the text; like the expected answer without one.',
    field: 'likeness',
  },
  json_valid: { title: 'Is JSON', meaning: 'The answer as a whole is JSON, or is not.', field: 'choice' },
  json_schema: {
    title: 'Fits JSON schema',
    meaning: 'The answer is JSON that fits this schema (2020-12 or draft 7).',
    field: 'json',
  },
  max_latency_ms: { title: 'Latency', meaning: 'The answer took no longer.', field: 'number', unit: 'ms' },
  max_cost: {
    title: 'Cost',
    meaning: 'The answer cost no more; a cost that is not known fails.',
    field: 'number',
    unit: 'USD',
  },
}

/** An assertion as it is being written. */
export interface AssertionDraft {
  key: number
  type: AssertionType
  /** The value as text: the text, the number, the JSON. */
  value: string
  /** `similar`: what to compare with; `min_score`: the judge. */
  other: string
}

let keys = 0

export function newAssertion(type: AssertionType = 'contains'): AssertionDraft {
  return { key: keys++, type, value: startOf(type), other: '' }
}

/** What stands in the field at first. */
function startOf(type: AssertionType): string {
  const { field } = assertionKinds[type]
  if (field === 'choice') return 'true'
  if (field === 'likeness') return '0.8'
  return field === 'share' ? '0.7' : ''
}

export function assertionDraftOf({ type, value, scorer }: Assertion): AssertionDraft {
  const draft = { ...newAssertion(type), other: scorer ?? '' }
  if (assertionKinds[type].field === 'json') return { ...draft, value: JSON.stringify(value, null, 2) }
  if (type === 'similar' && typeof value === 'object' && value !== null) {
    const { text = '', threshold = 0.8 } = value as { text?: string; threshold?: number }
    return { ...draft, value: String(threshold), other: text }
  }
  return { ...draft, value: String(value) }
}

/** As it is sent. Text that should be JSON and is not goes as text, for the server to say so. */
export function assertionOf({ type, value, other }: AssertionDraft): AssertionInput {
  const { field } = assertionKinds[type]
  if (field === 'choice') return { type, value: value === 'true' }
  if (field === 'json') return { type, value: parsed(value) }
  if (field === 'likeness') {
    return { type, value: other ? { text: other, threshold: numberOf(value) } : numberOf(value) }
  }
  if (field === 'share') return { type, value: numberOf(value), ...(other && { scorer: other }) }
  return { type, value: field === 'number' ? numberOf(value) : value }
}

function numberOf(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** One line about an assertion: `Contains “27 days”`. */
export function assertionText({ type, value, scorer }: Assertion): string {
  const { title, field, unit } = assertionKinds[type]
  if (field === 'choice') return value ? 'Is JSON' : 'Is not JSON'
  if (type === 'min_score') return `${scorer ?? 'correctness'} ≥ ${String(value)}`
  if (field === 'number') return `${title} ≤ ${String(value)} ${unit}`
  if (type === 'json_schema') return title
  if (type !== 'similar') return `${title} “${String(value)}”`
  if (typeof value !== 'object' || value === null) return `${title} to the expected answer ≥ ${String(value)}`
  const { text, threshold = 0.8 } = value as { text?: string; threshold?: number }
  return `${title} to ${text === undefined ? 'the expected answer' : `“${text}”`} ≥ ${threshold}`
}
