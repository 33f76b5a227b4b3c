/*
 * Relationships between the passages of a document: explains, supports, elaborates, introduces, concludes.
 *
 * The transaction that gives a document a version also writes a job for this version. The job runs a second later. A child
 * process relates the passages, or a model if this is configured. One transaction replaces the previous result, if the
 * version still exists.
 */

export { relatingJobs } from './jobs.ts'
export { createRelatingPool } from './pool.ts'
export { createRelatingStore } from './store.ts'
