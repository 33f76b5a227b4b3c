import { listOf, textOf } from '../search-params.ts'

/** Filters of traces in the form of the address and the API: `model=gpt-4o`, `attr.plan=pro`, `score.tone>=0.5`. */
export type FilterValues = Record<string, string | string[]>

export const fields = {
  status: 'Status',
  name: 'Name',
  model: 'Model',
  version: 'Version',
  environment: 'Environment',
  tag: 'Tag',
  session_id: 'Session',
  user_id: 'User',
  trace_id: 'Trace',
  latency: 'Latency, ms',
  cost: 'Cost, USD',
  attr: 'Attribute',
  score: 'Score',
  feedback: 'Feedback',
} as const
export type FieldName = keyof typeof fields

/** One chip of the filter bar. Ranges use `min` and `max`, attributes and scores use `name`; unused fields are empty. */
export interface Condition {
  field: FieldName
  name: string
  value: string
  min: string
  max: string
}

export const isRange = (field: FieldName) => field === 'latency' || field === 'cost' || field === 'score'
export const isNamed = (field: FieldName) => field === 'attr' || field === 'score'

const plain = ['status', 'name', 'model', 'version', 'environment', 'session_id', 'user_id'] as const
const ranges = {
  latency: ['min_latency_ms', 'max_latency_ms'],
  cost: ['min_cost', 'max_cost'],
} as const
const known: ReadonlySet<string> = new Set([...plain, 'tag', 'trace_id', ...ranges.latency, ...ranges.cost])

/** The filter parameters of an address. */
export function filtersOf(search: Record<string, unknown>): FilterValues {
  const filters: FilterValues = {}
  for (const [key, value] of Object.entries(search)) {
    if (!known.has(key) && !key.startsWith('attr.') && !key.startsWith('score.')) continue
    const values = listOf(value)
    if (values.length > 0) filters[key] = values.length === 1 ? (values[0] as string) : values
  }
  return filters
}

const empty = { name: '', value: '', min: '', max: '' }

export function conditionsOf(filters: FilterValues): Condition[] {
  const conditions: Condition[] = []
  for (const field of [...plain, 'tag'] as const) {
    for (const value of listOf(filters[field])) conditions.push({ ...empty, field, value })
  }
  const ids = listOf(filters.trace_id)
  if (ids.length > 0) conditions.push({ ...empty, field: 'trace_id', value: ids.join(' ') })
  for (const field of ['latency', 'cost'] as const) {
    const [min, max] = ranges[field].map((key) => textOf(filters[key]) ?? '') as [string, string]
    if (min || max) conditions.push({ ...empty, field, min, max })
  }
  return [...conditions, ...attributesOf(filters), ...scoresOf(filters)]
}

function attributesOf(filters: FilterValues): Condition[] {
  return Object.keys(filters)
    .filter((key) => key.startsWith('attr.'))
    .flatMap((key) =>
      listOf(filters[key]).map(
        (value): Condition => ({ ...empty, field: 'attr', name: key.slice('attr.'.length), value }),
      ),
    )
}

/** The score of ratings, and its value for each value of the field `feedback`. */
const feedbackScore = 'user_feedback'
const feedbackValues = new Map([
  ['liked', '1'],
  ['disliked', '0'],
])
export const opinions = [...feedbackValues.keys()]

/** A condition on exactly one value of a rating as the field `feedback`; other conditions stay. */
function withOpinion(condition: Condition): Condition {
  const { name, min, max } = condition
  const value = opinions.find((one) => min === max && min === feedbackValues.get(one))
  return name === feedbackScore && value ? { ...empty, field: 'feedback', value } : condition
}

/** `score.tone>=0.5` is the parameter `score.tone>` with the value 0.5. */
function scoresOf(filters: FilterValues): Condition[] {
  const byName = new Map<string, Condition>()
  for (const key of Object.keys(filters).filter((one) => one.startsWith('score.'))) {
    const name = key.slice('score.'.length).replace(/[<>]$/, '')
    const condition = byName.get(name) ?? { ...empty, field: 'score' as const, name }
    const bound = textOf(filters[key]) ?? ''
    if (!key.endsWith('<')) condition.min = bound
    if (!key.endsWith('>')) condition.max = bound
    byName.set(name, condition)
  }
  return [...byName.values()].map(withOpinion)
}

/** The search parameters of one condition. */
function parametersOf({ field, name, value, min, max }: Condition): [string, string][] {
  if (field === 'attr') return [[`attr.${name}`, value]]
  if (field === 'score')
    return [
      [`score.${name}>`, min],
      [`score.${name}<`, max],
    ]
  if (field === 'feedback') {
    const bound = feedbackValues.get(value) ?? ''
    return parametersOf({ ...empty, field: 'score', name: feedbackScore, min: bound, max: bound })
  }
  if (field === 'latency' || field === 'cost')
    return [
      [ranges[field][0], min],
      [ranges[field][1], max],
    ]
  // One condition has all ids, because a trace has only one.
  if (field === 'trace_id') return value.split(/[\s,]+/).map((id) => [field, id])
  return [[field, value]]
}

function toFilters(conditions: readonly Condition[]): FilterValues {
  const filters: FilterValues = {}
  for (const [key, value] of conditions.flatMap(parametersOf)) {
    if (value === '') continue
    const before = filters[key]
    const repeats = key === 'tag' || key === 'trace_id' || key.startsWith('attr.')
    filters[key] = before !== undefined && repeats ? [...new Set([before, value].flat())] : value
  }
  return filters
}

const sameCondition = (a: Condition, b: Condition) =>
  a.field === b.field && a.name === b.name && a.value === b.value && a.min === b.min && a.max === b.max

export function withoutCondition(filters: FilterValues, gone: Condition): FilterValues {
  return toFilters(conditionsOf(filters).filter((one) => !sameCondition(one, gone)))
}

/** Adds a condition, or replaces the condition `instead`. */
export function withCondition(filters: FilterValues, added: Condition, instead?: Condition): FilterValues {
  return toFilters([...conditionsOf(instead ? withoutCondition(filters, instead) : filters), added])
}

/** `100 – 2000`, `≥ 100`, `≤ 2000`. */
function rangeText(min: string, max: string): string {
  if (min && max) return min === max ? `= ${min}` : `${min} – ${max}`
  return min ? `≥ ${min}` : `≤ ${max}`
}

/** The label of a chip, and its value. */
export function chipText(condition: Condition): [string, string] {
  const { field, name, value, min, max } = condition
  if (field === 'attr') return [name, value]
  if (field === 'score') return [`Score ${name}`, rangeText(min, max)]
  const ids = field === 'trace_id' ? value.split(' ') : []
  if (ids.length > 1) return ['Traces', `${ids.length} selected`]
  return isRange(field) ? [fields[field], rangeText(min, max)] : [fields[field], value]
}

/** Sets one parameter; tags are added to the tags before, other values replace the value before. */
export function withFilter(filters: FilterValues, name: string, value: string): FilterValues {
  if (name !== 'tag') return { ...filters, [name]: value }
  const tags = [...new Set([...listOf(filters.tag), value])]
  return { ...filters, tag: tags.length === 1 ? value : tags }
}
