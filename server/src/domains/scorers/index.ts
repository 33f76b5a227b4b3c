export { JudgeService } from './judge.ts'
export { scorerRoutes } from './routes.ts'
export { ScorerService } from './service.ts'
export { createScorerStore } from './store.ts'
