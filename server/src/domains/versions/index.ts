/*
 * Versions of a prompt and model: publish, roll back, compare.
 *
 * The transaction that writes a version and its activation also updates the project's row in `active_versions`. This row is
 * the lock that puts the activations of a project in order, each with a later time than the one before.
 */

export { versionRoutes } from './routes.ts'
export { VersionService } from './service.ts'
export { createVersionStore, versionDeletion } from './store.ts'
