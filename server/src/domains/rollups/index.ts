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
