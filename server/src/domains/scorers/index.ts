/* Scoring an output, by a model or locally (long texts in child processes), and a project's own scorers. */

export { LocalJudges, localJudgesWidth } from './local-scorers.ts'
export { scorerRoutes } from './routes.ts'
export { UngradedError } from './score-by-model.ts'
export { JudgeService, type ReadyJudge } from './scoring.ts'
export { ScorerService } from './service.ts'
export { createScorerStore } from './store.ts'
export { judgedOf, type LocalResult } from './texts.ts'
