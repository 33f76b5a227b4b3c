import { CairnError, type TraceFilters } from '@cairn/contract'
import { parseIso } from '../../lib/time.ts'
import type { TraceConditions } from './store.ts'

function parseBound(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined
  const ms = parseIso(text)
  if (ms === undefined)
    throw new CairnError('invalid_request', `${field} must be an ISO 8601 date or date-time`)
  return ms
}

/** The filters of a query string, checked; a start after the end is refused. */
export function parseTraceFilters(query: TraceFilters): TraceConditions {
  const startMs = parseBound(query.start_date, 'start_date')
  const endMs = parseBound(query.end_date, 'end_date')
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) {
    throw new CairnError('invalid_request', 'start_date must not be after end_date')
  }
  return { status: query.status, startMs, endMs }
}
