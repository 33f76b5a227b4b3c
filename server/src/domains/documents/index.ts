export {
  CleanupService,
  createCleanupStore,
  createDocumentSweeper,
  leaseMs,
} from './delete/index.ts'
export {
  checkProperties,
  createEditStore,
  EditService,
  mergeProperties,
  type PropertyChanges,
} from './edit/index.ts'
export { createExtractionPool } from './extraction/index.ts'
export { FileService } from './files.ts'
export { documentRoutes } from './routes.ts'
export { fileRoutes } from './routes-files.ts'
export { internalRoutes } from './routes-internal.ts'
export { userFileRoutes } from './routes-me.ts'
export { withLockedChat } from './store-changes.ts'
export { createFileStore } from './store-files.ts'
export { countRelating, type RelatingJob, relatingQueue } from './store-relating.ts'
export {
  deleteRelationship,
  deleteRelationshipsMadeFrom,
  insertRelationships,
  keepLinkProperties,
  updateRelationship,
} from './store-relationships.ts'
export {
  createDocumentStore,
  DocumentReader,
  DocumentService,
  RunningUploads,
  TextService,
} from './upload/index.ts'
export { UserFileService } from './user-files.ts'
