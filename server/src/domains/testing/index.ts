/*
 * Test suites with their cases, and runs.
 *
 * A run begins with one transaction that copies the cases of its suite and writes a job for each lane (`lane.ts`). A lane
 * takes a case and calls the target (`call.ts`). It writes the trace under an id derived from run and case. Then it
 * evaluates the assertions (`evaluate.ts`), patterns and schemas in child processes. One transaction writes the result,
 * raises the counts of the run and takes the next case. The last result ends the run, with its event. A lane returns itself
 * to the queue every two seconds, so that other projects and processes get their turn. If its process dies, another one
 * takes over the lane and its case after the lease. If the case's trace exists, the target is not called again.
 */

export { checkAssertions } from './assertions.ts'
export { schemaProblem } from './json-schema.ts'
export { checksWidth } from './pool.ts'
export { suiteRoutes } from './routes.ts'
export { runRoutes } from './routes-runs.ts'
export { runsOfVersions } from './runs-of-versions.ts'
export { createResultStore } from './store-results.ts'
export { createRunStore, runQueue } from './store-runs.ts'
export { createSuiteStore, testDeletion } from './store-suites.ts'
export { createTesting } from './testing.ts'
