/*
 * Metrics, costs, time series, breakdowns, score averages and export.
 *
 * An export streams newest first from one snapshot over its own connection, so a slow client delays no other request. It
 * needs a place, and a project may hold half of the places. The place is free again when the response ends, in any way
 * (`http/stream.ts`). Stalled clients (`http/stalled-clients.ts`) and exports after `CAIRN_EXPORT_SECONDS` are ended.
 */

export { analyticsRoutes } from './routes.ts'
export { ScoreList } from './score-list.ts'
export { AnalyticsService } from './service.ts'
export { createAnalyticsStore } from './store.ts'
export { createScoreListStore } from './store-scores.ts'
