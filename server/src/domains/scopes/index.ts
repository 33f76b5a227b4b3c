export { scopeRoutes } from './routes.ts'
export { matchesScopes } from './rules.ts'
export { type PrivateScopes, ScopeService, type UserScopeLimit } from './service.ts'
export { createScopeStore } from './store.ts'
