export { TraceChanges } from './changes.ts'
export { parseTraceCursor, toTracePage } from './cursor.ts'
export { isFiltering, parseTraceFilters } from './filters.ts'
export {
  type ImportCounts,
  type ImportRequest,
  type ImportResult,
  ImportService,
  openFile,
  openStream,
} from './import/index.ts'
export { TraceReader } from './reader.ts'
export { toStoredRecord } from './record.ts'
export { TraceRecorder } from './recorder.ts'
export { traceRoutes } from './routes.ts'
export { scanTraces } from './scan.ts'
export {
  createIdempotencyStore,
  createImportStore,
  existingTraces,
  type LabelGroups,
  rebuildProject,
  selectTraces,
  type TraceConditions,
  type TracePosition,
  traceDeletion,
  whereTraces,
} from './store/index.ts'
export { createTraceStore, type StoredTrace, storedColumns, type TraceStore } from './store.ts'
export { traceAsJson } from './stored-json.ts'
export { sweep } from './sweep.ts'
export { type Arrivals, TraceWriter } from './writer.ts'
