/*
 * A durable queue of background work.
 *
 * A job names its project. A runner with free places finds the projects with due jobs, with one index lookup per project. It
 * gives places to the projects with the fewest running jobs, then to those with the longest time since their last turn
 * (`turns.ts`). Each queue limits the jobs of one project, so that places stay free for others. A job with more work after
 * its turn (`turnMs`) returns `again`, which does not count as a try. Each process shares its own places fairly.
 */

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
  dueNow,
  endJob,
  enqueue,
  enqueueFrom,
  type NewJob,
  standingJobs,
  withdraw,
} from './store.ts'
export { turnMs } from './turns.ts'
