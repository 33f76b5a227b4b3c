export { scopeRoutes } from './routes.ts'
export { matchesScopes } from './rules.ts'
export { type OwnScopeLimit, type PrivateScopes, ScopeService } from './service.ts'
export { createScopeStore } from './store.ts'
