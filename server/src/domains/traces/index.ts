export { parseTraceCursor, toTracePage } from './cursor.ts'
export { type NewTrace, toNewTrace } from './facts.ts'
export { isFiltering, parseTraceFilters } from './filters.ts'
export { openFile, openStream } from './import/source.ts'
export { type ImportCounts, type ImportRequest, type ImportResult, ImportService } from './import.ts'
export { decodeRecord, toRecord, toStoredRecord } from './record.ts'
export { traceRoutes } from './routes.ts'
export { scanTraces } from './scan.ts'
export { type Arrivals, TraceService } from './service.ts'
export {
  type LabelGroups,
  selectTraces,
  type TraceConditions,
  type TracePosition,
  whereTraces,
} from './store/conditions.ts'
export { traceDeletion } from './store/deletion.ts'
export { createIdempotencyStore } from './store/idempotency.ts'
export { createImportStore } from './store/imports.ts'
export { rebuildProject } from './store/rebuild.ts'
export { createTraceStore, type StoredTrace, storedColumns, type TraceStore } from './store.ts'
export { traceAsJson } from './stored-json.ts'
export { sweep } from './sweep.ts'
