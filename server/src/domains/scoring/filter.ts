import { CairnError, type FilterBody, limits, type TraceFilters } from '@cairn/contract'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { parseTraceFilters, type TraceConditions } from '../traces/index.ts'

const names: ReadonlySet<string> = new Set<keyof TraceFilters>([
  'trace_id',
  'status',
  'start_date',
  'end_date',
  'name',
  'model',
  'version',
  'environment',
  'session_id',
  'user_id',
  'tag',
  'min_latency_ms',
  'max_latency_ms',
  'min_cost',
  'max_cost',
  'q',
])

type Filter = Record<string, unknown>

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

function checkAttribute(name: string, value: unknown): void {
  if ([value].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one))) return
  reject(`filter.${name.slice(0, 100)} must be a string, a number or a boolean, or a list of them`)
}

/**
 * Validates the filter of a request and returns the filter to store, which contains only filters of the list of traces.
 * @throws `invalid_request`
 */
export function toFilter(given: FilterBody | null | undefined): Filter {
  const filter: Filter = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    const isAttribute = name.startsWith('attr.') || name.startsWith('score.')
    if (value == null || !(isAttribute || names.has(name))) continue
    if (isAttribute) checkAttribute(name, value)
    // PostgreSQL would reject it later, in each attempt of the job.
    if (`${name}${value}`.includes('\0')) {
      reject(`filter.${name.slice(0, 100)} must not contain the character NUL`)
    }
    filter[name] = value
  }
  if (JSON.stringify(filter).length > limits.filterLength) {
    reject(`filter must have at most ${limits.filterLength} characters as JSON`)
  }
  conditionsOf(filter)
  return filter
}

/**
 * The conditions of a filter.
 * @throws `invalid_request`
 */
export function conditionsOf(filter: Filter): TraceConditions {
  try {
    return parseTraceFilters(filter as TraceFilters)
  } catch (error) {
    if (error instanceof CairnError) reject(`filter: ${error.message}`)
    throw error
  }
}

export function storedFilter(json: string): Filter {
  return parseStoredJson(json) as Filter
}
