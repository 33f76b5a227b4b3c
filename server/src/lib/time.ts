/** ISO 8601 in UTC with milliseconds, from epoch milliseconds. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

export function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}

const isoForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * Epoch milliseconds of an ISO 8601 date or date-time. A date alone is midnight UTC, and a time without an offset is
 * UTC. Undefined if the text is invalid or the day does not exist.
 */
export function parseIso(text: string): number | undefined {
  const value = text.trim()
  if (!isoForm.test(value)) return undefined
  const day = value.slice(0, 10)
  const dayMs = Date.parse(`${day}T00:00:00.000Z`)
  // Date.parse accepts some impossible days; the conversion back detects them.
  if (Number.isNaN(dayMs) || toIso(dayMs).slice(0, 10) !== day) return undefined
  if (value.length === 10) return dayMs
  const time = value.slice(11).replace(',', '.')
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time)
  const ms = Date.parse(`${day}T${hasOffset ? time.toUpperCase() : `${time}Z`}`)
  return Number.isNaN(ms) ? undefined : ms
}
