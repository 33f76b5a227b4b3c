/*
 * Scoring of many traces: batches of stored traces, and rules for new ones. The domain `scorers` scores one output.
 *
 * A batch is a row and its job. The job walks the traces selected by filter and sample, newest first. A step scores a
 * hundred traces in child processes, ten in each turn of the project, or twenty traces by a model. One transaction writes
 * the scores and advances the row, if the row still has the expected step. A batch therefore continues after its last step,
 * in any process.
 *
 * The service that records traces knows the rules of a project, and caches them for five seconds. For each rule, a group
 * commit writes rows with the ids of its sampled traces, and the rule's one job if it does not exist. The job deletes these
 * rows in the transaction of their scores. It ends in a transaction that finds no more of these rows. This transaction locks
 * the job row first, which a group commit locks too, so no trace is left without a job.
 */

export { batchJobs } from './batch-jobs.ts'
export { BatchService } from './batches.ts'
export { batchRoutes } from './routes.ts'
export { ruleRoutes } from './routes-rules.ts'
export { ruleJobs } from './rule-jobs.ts'
export { ActiveRules, RuleService } from './rules.ts'
export { batchQueue, createBatchStore, scoringDeletion } from './store-batches.ts'
export { createRuleStore, ruleQueue } from './store-rules.ts'
