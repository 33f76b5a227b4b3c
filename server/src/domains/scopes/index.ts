/* The scopes of a chat's documents, and rules for their names and values. */

export { scopeRoutes } from './routes.ts'
export { matchesScopes } from './rules.ts'
export { type PrivateScopes, ScopeService, type UserScopeLimit } from './service.ts'
export { createScopeStore } from './store.ts'
