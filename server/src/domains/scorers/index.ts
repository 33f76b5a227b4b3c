/* Scoring an output, by a model or locally (long texts in child processes), and a project's own scorers. */

export { LocalScorers, localScorersWidth } from './local-scorers.ts'
export { scorerRoutes } from './routes.ts'
export { NoScoreError } from './score-by-model.ts'
export { type ReadyScorer, ScoringService } from './scoring.ts'
export { ScorerService } from './service.ts'
export { createScorerStore } from './store.ts'
export { type LocalResult, textsOf } from './texts.ts'
