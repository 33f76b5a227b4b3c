import type { Scan } from '../../lib/scans.ts'
import type { TraceConditions, TracePosition } from './store/index.ts'
import type { Page, TraceStore } from './store.ts'

/** The bounds in time, and the one condition whose index leads to the fewest traces, as far as can be told. */
function indexed(conditions: TraceConditions): TraceConditions {
  const { startMs, endMs, sessionId, userId, labels, version, model, environment, status } = conditions
  const period = { startMs, endMs }
  if (sessionId !== undefined) return { ...period, sessionId }
  if (userId !== undefined) return { ...period, userId }
  // Statements begin with the first label, and no other.
  if (labels?.[0]) return { ...period, labels: labels.slice(0, 1) }
  if (version !== undefined) return { ...period, version }
  if (model !== undefined) return { ...period, model }
  if (environment !== undefined) return { ...period, environment }
  return { ...period, status }
}

function count(conditions: TraceConditions): number {
  return Object.values(conditions)
    .flat()
    .filter((value) => value !== undefined).length
}

/** Whether an index leads to the traces alone, or others have to be looked at and passed over. */
function hasIndex(conditions: TraceConditions): boolean {
  return count(conditions) === count(indexed(conditions))
}

interface ScannedTraces {
  traces: Pick<TraceStore, 'boundary'>
  projectId: string
  conditions: TraceConditions
  after?: TracePosition | undefined
}

/** Reads the traces that may meet the conditions in slices, newest first; `read` gets the conditions of each slice. */
export function scanTraces(
  scan: Scan,
  { traces, projectId, conditions, after }: ScannedTraces,
  read: (slice: TraceConditions) => Promise<boolean>,
): Promise<void> {
  const looked = indexed(conditions)
  return scan.eachSlice<TracePosition>({
    after,
    boundary: (from, rows) => traces.boundary(projectId, { ...looked, after: from }, rows),
    read: (from, upTo) => read({ ...conditions, after: from, upTo }),
  })
}

/** A page of traces, newest first, however many have to be looked at for it. */
export async function findPositions(
  traces: TraceStore,
  scan: Scan,
  projectId: string,
  conditions: TraceConditions,
  { limit, after }: Page,
): Promise<TracePosition[]> {
  if (hasIndex(conditions)) return traces.positions(projectId, conditions, { limit, after })
  const found: TracePosition[] = []
  await scanTraces(scan, { traces, projectId, conditions, after }, async (slice) => {
    found.push(...(await traces.scannedPositions(projectId, slice, limit - found.length)))
    return found.length >= limit
  })
  return found
}
