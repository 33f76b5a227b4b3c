import { CairnError, type FilterBody, limits, type TraceFilters } from '@cairn/contract'
import { parseTraceFilters, type TraceConditions } from '../traces/index.ts'

const names: ReadonlySet<string> = new Set<keyof TraceFilters>([
  'status',
  'start_date',
  'end_date',
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

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

function checkFree(name: string, value: unknown): void {
  if ([value].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one))) return
  refuse(`filter.${name.slice(0, 100)} must be a string, a number or a boolean, or a list of them`)
}

/** The filter of a request as it is stored: what the list of traces knows, and no more. Throws `invalid_request`. */
export function toFilter(given: FilterBody | null | undefined): Filter {
  const filter: Filter = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    const isFree = name.startsWith('attr.') || name.startsWith('score.')
    if (value == null || !(isFree || names.has(name))) continue
    if (isFree) checkFree(name, value)
    // PostgreSQL would reject each try of the batch.
    if (`${name}${value}`.includes('\0')) {
      refuse(`filter.${name.slice(0, 100)} must not contain the character NUL`)
    }
    filter[name] = value
  }
  if (JSON.stringify(filter).length > limits.filterLength) {
    refuse(`filter must have at most ${limits.filterLength} characters as JSON`)
  }
  conditionsOf(filter)
  return filter
}

/** What the traces of a filter have to meet. Throws `invalid_request`. */
export function conditionsOf(filter: Filter): TraceConditions {
  try {
    return parseTraceFilters(filter as TraceFilters)
  } catch (error) {
    if (error instanceof CairnError) refuse(`filter: ${error.message}`)
    throw error
  }
}

export function storedFilter(json: string): Filter {
  return JSON.parse(json) as Filter
}
