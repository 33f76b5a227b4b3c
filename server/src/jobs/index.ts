export { type JobOutcome, JobRunner, type Queue } from './runner.ts'
export { createJobStore, enqueue, withdraw } from './store.ts'
