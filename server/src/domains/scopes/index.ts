export { checkScopes, matchesScopes, parseScopes } from './rules.ts'
