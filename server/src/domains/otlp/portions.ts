import type { TraceSize } from './store.ts'

/** Bytes of spans that are read together. */
export const readBytes = 2 * 1024 * 1024

interface Portion {
  traceIds: string[]
  bytes: number
}

/** Groups of traces whose spans are read together. A larger trace is a group alone. */
export function portionsOf(
  traceIds: readonly string[],
  sizes: ReadonlyMap<string, Pick<TraceSize, 'bytes'>>,
): Portion[] {
  const portions: Portion[] = []
  for (const traceId of traceIds) {
    const bytes = sizes.get(traceId)?.bytes ?? 0
    const last = portions.at(-1)
    if (last && last.bytes + bytes <= readBytes) {
      last.traceIds.push(traceId)
      last.bytes += bytes
    } else portions.push({ traceIds: [traceId], bytes })
  }
  return portions
}
