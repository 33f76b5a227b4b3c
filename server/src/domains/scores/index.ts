export { scoreRoutes } from './routes.ts'
export { ScoreService } from './service.ts'
export { createScoreStore } from './store.ts'
