export { gradedSlugs, judgeLocally, localJudges, withoutUncompared } from './built-in.ts'
export { expectedOf, type TraceTexts } from './expected.ts'
export { labelledAnswers, measureCorrectness } from './labelled.ts'
export type { Judged, Judgement } from './local-scorer.ts'
