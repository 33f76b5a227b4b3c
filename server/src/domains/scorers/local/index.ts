export { localScorers, modelSlugs, scoreLocally, withoutUncompared } from './built-in.ts'
export { expectedOf, type TraceTexts } from './expected.ts'
export { labelledAnswers, measureCorrectness } from './labelled.ts'
export type { ScoredTexts, ScoreResult } from './local-scorer.ts'
