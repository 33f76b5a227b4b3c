export {
  type Deletion,
  type DeletionStep,
  deletionJobs,
  deletionOf,
  deletionQueue,
  enqueueDeletion,
} from './deletions.ts'
export { jobOf } from './job-of.ts'
export { type JobOutcome, JobRunner, type Queue } from './runner.ts'
export {
  createJobStore,
  endJob,
  enqueue,
  enqueueFrom,
  type NewJob,
  standingJobs,
  withdraw,
} from './store.ts'
export { turnMs } from './turns.ts'
