import { CairnError } from '@cairn/contract'
import { parseIso } from '../../lib/time.ts'

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

function parseBound(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined
  return parseIso(text) ?? refuse(`${field} must be an ISO 8601 date or date-time`)
}

/** The start and the end of a period, checked; a start after the end is refused. */
export function parsePeriod(query: { start_date?: string; end_date?: string }): {
  startMs: number | undefined
  endMs: number | undefined
} {
  const startMs = parseBound(query.start_date, 'start_date')
  const endMs = parseBound(query.end_date, 'end_date')
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) {
    refuse('start_date must not be after end_date')
  }
  return { startMs, endMs }
}
