import * as position from '../../lib/cursor.ts'
import type { TracePosition } from './store/index.ts'

export function encodeCursor({ createdMs, traceId }: TracePosition): string {
  return position.encodeCursor({ ms: createdMs, id: traceId })
}

/** The first `limit` positions, and the cursor of the next page if more were found. */
export function toTracePage<T extends TracePosition>(found: readonly T[], limit: number) {
  return position.toPage(found, limit, ({ createdMs, traceId }) => ({ ms: createdMs, id: traceId }))
}

export function parseTraceCursor(cursor: string | undefined): TracePosition | undefined {
  const found = position.parseCursor(cursor, 'trc_')
  return found && { createdMs: found.ms, traceId: found.id }
}
