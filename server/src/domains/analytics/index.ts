export { analyticsRoutes } from './routes.ts'
export { AnalyticsService } from './service.ts'
export { createAnalyticsStore } from './store.ts'
