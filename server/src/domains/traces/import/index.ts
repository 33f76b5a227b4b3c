export type { ImportCounts, ImportRequest, ImportResult } from './run.ts'
export { ImportService } from './service.ts'
export { openFile, openStream } from './source.ts'
