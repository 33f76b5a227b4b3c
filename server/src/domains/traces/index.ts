/*
 * Recording, filtering, listing, deleting, pricing and importing traces.
 *
 * `TraceRecorder` completes new traces, `TraceWriter` writes them, `TraceReader` lists and returns them, and `TraceChanges`
 * deletes and prices them. `store/` has their statements, and `import/` reads traces from files.
 *
 * - A trace consists of indexed columns for filters, the body as JSON bytes, and a label for each tag and attribute and for
 *   its name. The cost is a column, so that it can be computed again.
 * - Group commit combines waiting traces. A transaction is limited by the estimated cost of its rows, about 25 ms
 *   (`write-cost.ts`), and projects get equal parts of it. The rollup changes of a group are computed once and written in
 *   the same transaction, sorted by key.
 * - A batch that costs more than 10 ms is written in steps; only the last step waits for the disk. The row of its
 *   Idempotency-Key is written with the first step and completed with the last. So a repeated request after a crash writes
 *   the missing traces.
 * - A list with one filter follows the index of this filter, or the label. With several filters, or a text, it scans, newest
 *   first, until the page is full. The sizes of traces are read before their bodies: a page reads at most 8 MB (for previews
 *   32 MB), or one trace, and the cursor leads to the rest. More than 256 KB are read in steps at the tenant's turns. A
 *   single trace is sent as stored, without parsing; only a computed cost is inserted.
 * - A list sorted by latency, cost or tokens scans all traces that match, and keeps the best of each page. The ids of a filter
 *   drive their query.
 * - Changes of tags are also stored beside the trace, because late spans make its tags anew.
 * - The sweep runs every `CAIRN_SWEEP_SECONDS`. It deletes traces after their project's retention period, and idempotency
 *   keys older than a day, a few hundred at a time.
 * - An import writes lines in transactions of 2,000, each with a row that records the position in the file, so it continues
 *   after the last transaction. The next lines are parsed while a transaction is written. On SQLite it pauses between
 *   transactions, and waiting processes try every millisecond, so that a server on the same file gets its turn.
 */

export { TraceChanges } from './changes.ts'
export { parseTraceCursor, toTracePage } from './cursor.ts'
export { type NewTrace, toNewTrace } from './facts.ts'
export { isFiltering, parseTraceFilters } from './filters.ts'
export {
  checkBytes,
  type ImportCounts,
  type ImportProgress,
  type ImportRequest,
  type ImportResult,
  ImportService,
  type ImportTarget,
  isObject,
  openFile,
  openStream,
  PartialRecord,
  parseRecord,
  type RawRecord,
  splitLines,
} from './import/index.ts'
export { TraceReader } from './reader.ts'
export { decodeStored, toLargeRecord, toRecord } from './record.ts'
export { type NewCharge, TraceRecorder } from './recorder.ts'
export { traceRoutes } from './routes.ts'
export { scanTraces } from './scan.ts'
export {
  createIdempotencyStore,
  createImportStore,
  existingTraces,
  type LabelGroups,
  newTraceInserts,
  type ReadTrace,
  type Replacement,
  readStoredTraces,
  rebuildProject,
  replaceTraces,
  selectTraces,
  TraceChangedError,
  type TraceConditions,
  type TracePosition,
  traceDeletion,
  whereTraces,
} from './store/index.ts'
export {
  createTraceStore,
  type StoredTrace,
  storedColumns,
  type TracePage,
  type TraceStore,
} from './store.ts'
export { traceAsJson } from './stored-json.ts'
export { sweep } from './sweep.ts'
export { withTagEdits } from './tags.ts'
export { toSteps } from './write-cost.ts'
export { type Arrivals, TraceWriter } from './writer.ts'
