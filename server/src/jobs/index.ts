export { jobOf } from './job-of.ts'
export { type JobOutcome, JobRunner, type Queue } from './runner.ts'
export { createJobStore, endJob, enqueue, type NewJob, standingJobs, withdraw } from './store.ts'
export { turnMs } from './turns.ts'
