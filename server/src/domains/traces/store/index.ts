export { deleteTraces, type OnDelete, type ReadTrace, repriceTraces, TraceChangedError } from './changes.ts'
export {
  type LabelGroups,
  type ScoreCondition,
  selectTraces,
  type TraceConditions,
  type TracePosition,
  whereTraces,
} from './conditions.ts'
export { traceDeletion } from './deletion.ts'
export { existingTraces } from './existing.ts'
export {
  createIdempotencyStore,
  type IdempotencyRow,
  type IdempotencyStore,
  idempotencyInsert,
} from './idempotency.ts'
export { createImportStore, type ImportRow, type ImportStore, progressUpsert } from './imports.ts'
export { compareIn, type RankedPage, type RankedPosition, type Ranking, selectRanked } from './ranking.ts'
export { rebuildProject } from './rebuild.ts'
export { newTraceInserts, type Replacement, readStoredTraces, replaceTraces } from './replace.ts'
export { traceInserts } from './rows.ts'
export { tagTraces } from './tagging.ts'
