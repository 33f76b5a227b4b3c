/*
 * Sums of traces and a latency sketch, by project, by value of model, version, status, environment and tag, and by minute,
 * hour and day.
 *
 * Deletion and re-pricing subtract and add in the transactions that change the traces. They read the bodies before, and hold
 * the writer for a few traces at a time. A summary combines the widest buckets that fit its period. At each end, less than a
 * minute is left, which is read from the traces themselves. Filters without rollups use a scan (`lib/scans.ts`).
 */

export { cover, type Span } from './cover.ts'
export { Increments } from './increments.ts'
export { parsePeriod } from './period.ts'
export {
  createRollupStore,
  type RollupColumns,
  type RollupFilter,
  type RollupRow,
  type RollupStore,
  removeEmptyRollups,
  rollupDeletion,
  rollupUpsert,
} from './store.ts'
export {
  type Dimension,
  dayMs,
  floorTo,
  hourMs,
  minuteMs,
  noSums,
  type Sums,
  sumNames,
  type TraceCost,
  type TraceFacts,
} from './sums.ts'
