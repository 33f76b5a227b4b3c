import type { Scan } from '../../lib/scans.ts'
import {
  compareIn,
  type RankedPage,
  type RankedPosition,
  type TraceConditions,
  type TracePosition,
} from './store/index.ts'
import type { TracePage, TraceStore } from './store.ts'

/** The period, and the one condition whose index probably finds the fewest traces. */
function indexedConditions(conditions: TraceConditions): TraceConditions {
  const { ids, sessionId, userId, labels, version, model, environment, status } = conditions
  const { startMs, endMs, oldestFirst } = conditions
  const period = { startMs, endMs, oldestFirst }
  if (ids !== undefined) return { ...period, ids }
  if (sessionId !== undefined) return { ...period, sessionId }
  if (userId !== undefined) return { ...period, userId }
  // Only the first label drives a query, see `selectTraces`.
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

/** Whether an index finds exactly these traces, so that no scan is needed. */
function hasIndex(conditions: TraceConditions): boolean {
  return count(conditions) === count(indexedConditions(conditions))
}

interface ScannedTraces {
  traces: Pick<TraceStore, 'boundary'>
  projectId: string
  conditions: TraceConditions
  after?: TracePosition | undefined
}

/**
 * Reads the traces that may match the conditions in slices, in the order of the list. `read` gets the conditions of a slice
 * and returns whether the scan is complete.
 */
export function scanTraces(
  scan: Scan,
  { traces, projectId, conditions, after }: ScannedTraces,
  read: (slice: TraceConditions) => Promise<boolean>,
): Promise<void> {
  const indexed = indexedConditions(conditions)
  return scan.eachSlice<TracePosition>({
    after,
    boundary: (from, rows) => traces.boundary(projectId, { ...indexed, after: from }, rows),
    read: (from, upTo) => read({ ...conditions, after: from, upTo }),
  })
}

/** The positions of a page of the list by time, by an index or by a scan. */
export async function findPositions(
  traces: TraceStore,
  scan: Scan,
  projectId: string,
  conditions: TraceConditions,
  { limit, after }: TracePage,
): Promise<TracePosition[]> {
  if (hasIndex(conditions)) return traces.positions(projectId, conditions, { limit, after })
  const found: TracePosition[] = []
  await scanTraces(scan, { traces, projectId, conditions, after }, async (slice) => {
    found.push(...(await traces.scannedPositions(projectId, slice, limit - found.length)))
    return found.length >= limit
  })
  return found
}

/**
 * The positions of a page of a ranking. All traces that match the conditions are read, newest first, in the slices of a scan,
 * and at most `limit` positions are kept.
 */
export async function findRanked(
  traces: TraceStore,
  scan: Scan,
  projectId: string,
  conditions: TraceConditions,
  { ranking, limit, after }: RankedPage,
): Promise<RankedPosition[]> {
  let best: RankedPosition[] = []
  await scanTraces(scan, { traces, projectId, conditions }, async (slice) => {
    const least = best.length < limit ? undefined : best.at(-1)
    const found = await traces.ranked(projectId, slice, { ranking, limit, after, least })
    // The sort is stable, so that equal traces stay newest first.
    if (found.length > 0) best = [...best, ...found].sort(compareIn(ranking)).slice(0, limit)
    return false
  })
  return best
}
