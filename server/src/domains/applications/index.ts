/*
 * Applications whose end users sign in with their own identity provider, and one private chat per user.
 *
 * A user calls with an ID token and the id of an application. The token is verified with a key of its issuer
 * (`key-sets.ts`). Key sets are found through discovery, cached, and requested again if a token names an unknown key.
 * Addresses that an administrator has registered may be in a private network; all others, including redirects to another
 * host, use the guarded fetch. The identity is a hash of application, issuer and subject, and of the audience if it is
 * DYNAMIC. A unique constraint ensures one user and one private chat per identity. `http/authorize.ts` rejects private chats
 * for every other credential.
 */

export { Identities } from './identities.ts'
export { createIssuerFetches } from './issuer-keys.ts'
export { KeySets } from './key-sets.ts'
export { applicationRoutes } from './routes.ts'
export { profileRoutes } from './routes-me.ts'
export { ApplicationService } from './service.ts'
export { createApplicationDeletionStore, createApplicationStore } from './store.ts'
