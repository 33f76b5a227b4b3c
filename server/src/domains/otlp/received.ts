import { limits } from '@cairn/contract'
import { encodeParts } from './items.ts'
import type { Rejections } from './rejections.ts'
import type { TraceSize } from './store.ts'
import type { StoredPart } from './stored-part.ts'

/** A part of a trace with the id of its trace. */
export interface ReceivedPart {
  traceId: string
  part: StoredPart
}

/** The JSON of each part, by trace. */
export async function encodeReceived(received: readonly ReceivedPart[]): Promise<Map<string, Buffer[]>> {
  const byTrace = new Map<string, Buffer[]>()
  for (const [traceId, parts] of Map.groupBy(received, (each) => each.traceId)) {
    byTrace.set(traceId, await encodeParts(parts.map(({ part }) => part)))
  }
  return byTrace
}

/** Whether a trace of this size can take all parts. */
export function hasRoomFor(size: TraceSize, parts: readonly Buffer[]): boolean {
  const bytes = parts.reduce((sum, { length }) => sum + length, size.bytes)
  return size.spans + parts.length <= limits.spansPerTrace && bytes <= limits.spanBytesPerTrace
}

/** The parts that a trace of this size can take; the others are added to the rejections. */
export function takeUpToLimit(
  parts: readonly Buffer[],
  size: TraceSize | undefined,
  rejections: Rejections,
): Buffer[] {
  if (size?.isDeleted) {
    rejections.add('the trace was deleted', parts.length)
    return []
  }
  let [spans, bytes] = [size?.spans ?? 0, size?.bytes ?? 0]
  const taken = parts.filter(({ length }) => {
    if (spans + 1 > limits.spansPerTrace || bytes + length > limits.spanBytesPerTrace) return false
    spans += 1
    bytes += length
    return true
  })
  const megabytes = limits.spanBytesPerTrace / 1024 ** 2
  rejections.add(
    `a trace has at most ${limits.spansPerTrace} spans and ${megabytes} MB`,
    parts.length - taken.length,
  )
  return taken
}
