export { isOutgrown, minChunksForLsa } from './fit-lsa-job.ts'
export { createIndexingPool, IndexingLimitError, type IndexingPool } from './pool.ts'
export { vectorJobs } from './vector-jobs.ts'
