export { relatingJobs } from './jobs.ts'
export { createRelatingPool } from './pool.ts'
export { createRelatingStore } from './store.ts'
