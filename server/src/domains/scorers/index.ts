/* Scoring an output, by a model or locally (long texts in child processes), and a project's own scorers. */

export { UngradedError } from './grade.ts'
export { JudgeService, type ReadyJudge } from './judge.ts'
export { judgedOf, type LocalResult } from './judged.ts'
export { LocalJudges, localJudgesWidth } from './local-judges.ts'
export { scorerRoutes } from './routes.ts'
export { ScorerService } from './service.ts'
export { createScorerStore } from './store.ts'
