export { scoreRoutes } from './routes.ts'
export { ScoreService, toScoreRow } from './service.ts'
export { createScoreStore, type ScoreRow, scoreInsert } from './store.ts'
