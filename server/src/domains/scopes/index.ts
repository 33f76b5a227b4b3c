export { scopeRoutes } from './routes.ts'
export { matchesScopes } from './rules.ts'
export { ScopeService } from './service.ts'
export { createScopeStore } from './store.ts'
