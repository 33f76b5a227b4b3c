export { type Chunk, chunkText } from './chunking.ts'
export { CleanupService } from './cleanup.ts'
export { EditService } from './edits.ts'
export { extractText } from './extraction/extract.ts'
export { createExtractionPool, type ExtractionPool } from './extraction/pool.ts'
export { FileService } from './files.ts'
export { OwnFileService } from './own-files.ts'
export { checkProperties, mergeProperties, type PropertyChanges } from './properties.ts'
export { DocumentReader } from './readable.ts'
export { documentRoutes } from './routes.ts'
export { fileRoutes } from './routes-files.ts'
export { internalRoutes } from './routes-internal.ts'
export { ownFileRoutes } from './routes-me.ts'
export { DocumentService } from './service.ts'
export { createDocumentStore } from './store.ts'
export { changeKnowledge } from './store-changes.ts'
export { createCleanupStore } from './store-cleanup.ts'
export { createEditStore } from './store-edits.ts'
export { createFileStore } from './store-files.ts'
export { countRelating, type RelatingJob, relatingQueue } from './store-relating.ts'
export {
  deleteRelationship,
  deleteRelationshipsMadeFrom,
  insertRelationships,
  keepLinkProperties,
  updateRelationship,
} from './store-relationships.ts'
export { documentSweeper, leaseMs } from './store-sweep.ts'
export { TextService } from './texts.ts'
export { RunningUploads } from './uploads.ts'
