import { CairnError } from '@cairn/contract'
import { parseIso } from '../../lib/time.ts'

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

function parseBound(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined
  return parseIso(text) ?? reject(`${field} must be an ISO 8601 date or date-time`)
}

/**
 * The start and the end of a period in epoch milliseconds.
 * @throws `invalid_request` for an invalid date, or a start after the end
 */
export function parsePeriod(query: { start_date?: string; end_date?: string }): {
  startMs: number | undefined
  endMs: number | undefined
} {
  const startMs = parseBound(query.start_date, 'start_date')
  const endMs = parseBound(query.end_date, 'end_date')
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) {
    reject('start_date must not be after end_date')
  }
  return { startMs, endMs }
}
