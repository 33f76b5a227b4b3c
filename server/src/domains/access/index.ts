/* Projects and API keys. Keys are stored as hashes, and lookups are cached for five seconds. */

export { accessRoutes } from './routes.ts'
export { signInRoutes } from './routes-sign-in.ts'
export { AccessService, newKey, toKey } from './service.ts'
export { SignIns } from './sign-ins.ts'
export { createAccessStore, hasProject, inProject, insertKey, isOfLiveProject, type KeyRow } from './store.ts'
export { createSignInStore } from './store-sign-ins.ts'
