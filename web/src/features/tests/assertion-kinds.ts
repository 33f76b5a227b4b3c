import type { Assertion, AssertionInput, AssertionType } from '@cairn/sdk'

type FieldKind = 'text' | 'lines' | 'number' | 'share' | 'json' | 'choice' | 'likeness'

interface Kind {
  title: string
  /** A sentence that says which answers pass. */
  meaning: string
  field: FieldKind
  unit?: string
}

/** Every kind of assertion, in the order of the menu. */
export const assertionKinds: Record<AssertionType, Kind> = {
  contains: {
    title: 'Contains',
    meaning: 'The answer contains exactly this text.',
    field: 'text',
  },
  icontains: {
    title: 'Contains, any case',
    meaning: 'The answer contains this text in upper or lower case.',
    field: 'text',
  },
  not_contains: {
    title: 'Does not contain',
    meaning: 'The answer does not contain this text.',
    field: 'text',
  },
  starts_with: { title: 'Starts with', meaning: 'The answer begins with this text.', field: 'text' },
  equals: { title: 'Equals', meaning: 'The answer equals this text, including white space.', field: 'lines' },
  regex: {
    title: 'Matches regex',
    meaning: 'A JavaScript regular expression matches part of the answer; (?i:…) ignores case.',
    field: 'text',
  },
  min_score: { title: 'Score', meaning: 'The scorer gives at least this score.', field: 'share' },
  similar: {
    title: 'Is similar',
    meaning: 'The similarity to this text, or to the expected answer if it is empty, is at least this value.',
    field: 'likeness',
  },
  json_valid: { title: 'Is JSON', meaning: 'The whole answer is JSON, or is not.', field: 'choice' },
  json_schema: {
    title: 'Fits JSON schema',
    meaning: 'The answer is JSON that is valid by this schema (2020-12 or draft 7).',
    field: 'json',
  },
  max_latency_ms: {
    title: 'Latency',
    meaning: 'The answer takes at most this time.',
    field: 'number',
    unit: 'ms',
  },
  max_cost: {
    title: 'Cost',
    meaning: 'The answer costs at most this amount; an unknown cost fails.',
    field: 'number',
    unit: 'USD',
  },
}

/** An assertion in the form. */
export interface AssertionDraft {
  key: number
  type: AssertionType
  /** The value as text: the text, the number, the JSON. */
  value: string
  /** For `similar`, the text to compare with; for `min_score`, the scorer. */
  other: string
}

let keys = 0

export function newAssertion(type: AssertionType = 'contains'): AssertionDraft {
  return { key: keys++, type, value: startOf(type), other: '' }
}

/** The initial value of a new assertion. */
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

/** The assertion for a request. Invalid JSON is sent as text, which the server rejects with a reason. */
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

/** An assertion in one line: `Contains “27 days”`. */
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
