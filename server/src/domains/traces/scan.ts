import { Deadline, planSlices, type RollupStore, type SlicedBy, type Span } from '../rollups/index.ts'
import { tagLabel } from './labels.ts'
import type { TraceConditions } from './store/conditions.ts'
import type { TracePosition } from './store.ts'

/** Times beyond every trace's: the bounds of a Date. */
const everything: Span = { from: -8.64e15, to: 8.64e15 }

/** The one value of a dimension that bounds the conditions best. */
export function slicedBy({ labels, model, version, environment, status }: TraceConditions): SlicedBy {
  const tag = labels?.find(({ name }) => name === tagLabel)
  if (tag) return { dimension: 'tag', value: tag.value }
  if (version !== undefined) return { dimension: 'version', value: version }
  if (model !== undefined) return { dimension: 'model', value: model }
  if (environment !== undefined) return { dimension: 'environment', value: environment }
  if (status !== undefined) return { dimension: 'status', value: status }
  return { dimension: 'all', value: '' }
}

/** Whether an index leads to the traces alone, or others have to be looked at and passed over. */
function hasIndex(conditions: TraceConditions): boolean {
  const { status, model, version, environment, sessionId, userId, labels, scores } = conditions
  if (sessionId !== undefined || userId !== undefined) return true
  const { minLatencyMs, maxLatencyMs, minCost, maxCost, text } = conditions
  if ([minLatencyMs, maxLatencyMs, minCost, maxCost, text].some((value) => value !== undefined)) return false
  const equalities = [status, model, version, environment].filter((value) => value !== undefined)
  return equalities.length + (labels?.length ?? 0) <= 1 && (scores?.length ?? 0) === 0
}

export interface Page {
  limit: number
  after: TracePosition | undefined
}

interface Scanner {
  positions(projectId: string, conditions: TraceConditions, page: Page): Promise<TracePosition[]>
  rollups: Pick<RollupStore, 'counts'>
  limitMs: number
}

/** A page of traces, newest first, however many have to be looked at for it, within the time limit. */
export async function scanPositions(
  { positions, rollups, limitMs }: Scanner,
  projectId: string,
  conditions: TraceConditions,
  page: Page,
): Promise<TracePosition[]> {
  if (hasIndex(conditions)) return positions(projectId, conditions, page)
  const deadline = new Deadline(limitMs)
  const to = Math.min(conditions.endMs ?? everything.to, (page.after?.createdMs ?? everything.to) + 1)
  const span = { from: conditions.startMs ?? everything.from, to }
  const found: TracePosition[] = []
  for (const slice of await planSlices(rollups, projectId, slicedBy(conditions), span)) {
    deadline.check()
    const narrowed = { ...conditions, startMs: slice.from, endMs: slice.to }
    found.push(...(await positions(projectId, narrowed, { ...page, limit: page.limit - found.length })))
    if (found.length >= page.limit) break
  }
  return found
}
