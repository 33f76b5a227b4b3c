/*
 * Sums of traces and a latency sketch, by project, by value of model, version, status, environment and tag, and by minute,
 * hour and day.
 *
 * Deletion and re-pricing change the rollups in the transactions that change the traces. They read the bodies before these
 * transactions, and change only a few traces in each one, because other writes wait. A summary combines the widest buckets
 * that fit its period. Less than a minute is left at each end, which is computed from the traces. Filters without rollups use
 * a scan (`lib/scans.ts`).
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
