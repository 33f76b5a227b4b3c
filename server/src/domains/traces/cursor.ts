import * as position from '../../lib/cursor.ts'
import type { RankedPosition, Ranking, TracePosition } from './store/index.ts'

export function encodeCursor({ createdMs, traceId }: TracePosition): string {
  return position.encodeCursor({ ms: createdMs, id: traceId })
}

/** The first `limit` positions, and the cursor of the next page if more were found. */
export function toTracePage<T extends TracePosition>(found: readonly T[], limit: number) {
  return position.toPage(found, limit, ({ createdMs, traceId }) => ({ ms: createdMs, id: traceId }))
}

export function parseTraceCursor(cursor: string | undefined): TracePosition | undefined {
  return cursor === undefined ? undefined : parseTracePosition(position.decodeCursor(cursor))
}

/** A trace of OpenTelemetry keeps its own id. */
function parseTracePosition(text: string): TracePosition {
  const { ms, id } = position.parsePosition(text, 'trc_', /^[0-9a-f]{32}$/)
  return { createdMs: ms, traceId: id }
}

/** The cursor of a ranking names the ranking, so that a page of another order rejects it. */
export function encodeRankedCursor(
  { by, order }: Ranking,
  { value, createdMs, traceId }: RankedPosition,
): string {
  return Buffer.from(`${by}:${order}:${value ?? ''}:${createdMs}.${traceId}`).toString('base64url')
}

export function parseRankedCursor(
  cursor: string | undefined,
  { by, order }: Ranking,
): RankedPosition | undefined {
  if (cursor === undefined) return undefined
  const [itsValue, itsOrder, number = '', rest = ''] = position.decodeCursor(cursor).split(':')
  const value = number === '' ? null : Number(number)
  if (itsValue !== by || itsOrder !== order || (value !== null && !Number.isFinite(value))) {
    throw new position.WrongCursor()
  }
  return { value, ...parseTracePosition(rest) }
}
